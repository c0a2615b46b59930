package io.maestro.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The meters of Maestro: their names, kinds, base units and tags. docs/metrics.md says more. */
public enum MaestroMeter {
  /** Bytes of chunks that the peer has acknowledged. */
  PATH_BYTES(
      "maestro.path.bytes",
      Kind.COUNTER,
      "bytes",
      Scope.PATH,
      "Bytes of chunks that the peer has acknowledged"),
  /** Chunks that the peer has acknowledged. */
  PATH_CHUNKS(
      "maestro.path.chunks",
      Kind.COUNTER,
      "chunks",
      Scope.PATH,
      "Chunks that the peer has acknowledged"),
  /** Congestion notifications; there is no such meter while the provider cannot know them. */
  PATH_CNP(
      "maestro.path.cnp",
      Kind.COUNTER,
      null,
      Scope.PATH,
      "Congestion notifications: packets marked ECN-CE or answered with a CNP"),
  /** The path's share of its connection. */
  PATH_WEIGHT(
      "maestro.path.weight",
      Kind.GAUGE,
      null,
      Scope.PATH,
      "Share that the load balancer gives the path, 0 to 1"),
  /** Bytes that the path may have unacknowledged. */
  PATH_WINDOW(
      "maestro.path.window",
      Kind.GAUGE,
      "bytes",
      Scope.PATH,
      "Bytes that the path may have unacknowledged"),
  /** Bytes that are unacknowledged. */
  PATH_INFLIGHT(
      "maestro.path.inflight", Kind.GAUGE, "bytes", Scope.PATH, "Bytes that are unacknowledged"),
  /** Smoothed time from chunk to acknowledgement. */
  PATH_RTT(
      "maestro.path.rtt",
      Kind.GAUGE,
      "seconds",
      Scope.PATH,
      "Smoothed time from a chunk to its acknowledgement, queueing included"),
  /** Paths in a state. */
  PATH_STATE(
      "maestro.path.state",
      Kind.GAUGE,
      null,
      Scope.PATH_STATE,
      "1 in the state that the path is in and 0 in the others"),
  /** Losses of the path that others took over. */
  PATH_FAILOVERS(
      "maestro.path.failovers",
      Kind.COUNTER,
      null,
      Scope.PATH,
      "Losses of the path after it had carried chunks"),
  /** Chunks that wait between the session and the path. */
  RING_DEPTH(
      "maestro.ring.depth",
      Kind.GAUGE,
      "chunks",
      Scope.PATH,
      "Chunks handed to the path that its event loop has not posted yet"),
  /** How long messages took. */
  MESSAGE_DURATION(
      "maestro.message.duration",
      Kind.TIMER,
      "seconds",
      Scope.ENDED_MESSAGE,
      "Time of a message: sent, from subscription to the peer's having it; received, from its"
          + " offer to its completion"),
  /** The sizes of messages. */
  MESSAGE_BYTES(
      "maestro.message.bytes",
      Kind.SUMMARY,
      "bytes",
      Scope.ENDED_MESSAGE,
      "Sizes of messages without their headers"),
  /** Messages that have begun and not ended. */
  MESSAGE_ACTIVE(
      "maestro.message.active",
      Kind.GAUGE,
      null,
      Scope.MESSAGE,
      "Messages under way, those included that wait for the peer's demand"),
  /** Open connections. */
  SESSION_OPEN("maestro.session.open", Kind.GAUGE, null, Scope.PEER, "Open connections"),
  /** Connections that have ended. */
  SESSION_CLOSED(
      "maestro.session.closed",
      Kind.COUNTER,
      null,
      Scope.ENDED_SESSION,
      "Connections that have ended, in order (done) or broken (failed)"),
  /** Messages that the peer would take now. */
  SESSION_CREDITS(
      "maestro.session.credits",
      Kind.GAUGE,
      null,
      Scope.PEER,
      "Messages that the peer would take now beyond those that have been begun"),
  /** Memory of received messages. */
  MEMORY_USED(
      "maestro.memory.used",
      Kind.GAUGE,
      "bytes",
      Scope.INSTANCE,
      "Bytes of received messages that have not been closed"),
  /** The memory budget. */
  MEMORY_LIMIT(
      "maestro.memory.limit",
      Kind.GAUGE,
      "bytes",
      Scope.INSTANCE,
      "Bytes that received messages may hold at once");

  private final String id;
  private final Kind kind;
  private final @Nullable String unit;
  private final Scope scope;
  private final String meaning;

  /** What a meter is. */
  public enum Kind {
    /** A number that only grows. */
    COUNTER,
    /** A number of the moment. */
    GAUGE,
    /** Durations, with a histogram. */
    TIMER,
    /** Sizes: their number, sum and largest. */
    SUMMARY
  }

  /** What a meter is about, which decides the keys of its tags. */
  private enum Scope {
    INSTANCE,
    PEER,
    PATH,
    PATH_STATE,
    MESSAGE,
    ENDED_MESSAGE,
    ENDED_SESSION;

    private List<String> keys() {
      return switch (this) {
        case INSTANCE -> List.of("provider");
        case PEER -> List.of("provider", "peer");
        case PATH -> List.of("provider", "peer", "path");
        case PATH_STATE -> List.of("provider", "peer", "path", "state");
        case MESSAGE -> List.of("provider", "direction");
        case ENDED_MESSAGE -> List.of("provider", "direction", "outcome");
        case ENDED_SESSION -> List.of("provider", "outcome");
      };
    }
  }

  MaestroMeter(String id, Kind kind, @Nullable String unit, Scope scope, String meaning) {
    this.id = id;
    this.kind = kind;
    this.unit = unit;
    this.scope = scope;
    this.meaning = meaning;
  }

  /** The name by Micrometer's rules, such as {@code maestro.path.bytes}. */
  public String id() {
    return id;
  }

  /** What it is. */
  public Kind kind() {
    return kind;
  }

  /** The base unit; null for a number without one. */
  public @Nullable String unit() {
    return unit;
  }

  /** The keys of its tags, the same wherever it is. */
  public List<String> tags() {
    return scope.keys();
  }

  /** What it means, in a sentence without its end. */
  public String meaning() {
    return meaning;
  }
}
