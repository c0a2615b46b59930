package io.maestro.api;

import java.time.Duration;

/** What happened to a path of a connection; see {@link Connection#pathEvents()}. */
public sealed interface PathEvent {

  /** Stands for the number of a path where an event concerns the whole connection. */
  int CONNECTION = -1;

  /** The path's number within the connection, from 0, or {@link #CONNECTION}. */
  int path();

  /**
   * When, in nanoseconds on the clock of the connection's event loop: only differences mean
   * anything. On a simulated fabric it is virtual time.
   */
  long atNs();

  /** What happened, in words for people, which may change; without the number of the path. */
  default String describe() {
    return switch (this) {
      case Up up -> "up, generation " + up.generation;
      case Suspended suspended -> "suspended: no progress, though the peer is at work";
      case Down down -> "lost: " + down.cause;
      case FailedOver over -> "failed over: %d chunks go over other paths".formatted(over.repeated);
      case Probing probing -> "connected anew, being probed, generation " + probing.generation;
      case AttemptFailed failed -> "not back: " + failed.cause;
      case Steered steered ->
          steered.following ? "follows its controller" : "decides for itself: " + steered.cause;
      case Refused refused -> "refused: " + refused.reason;
    };
  }

  /**
   * The path carries chunks from now on.
   *
   * @param generation how often it has been connected anew
   */
  record Up(int path, long atNs, int generation) implements PathEvent {}

  /**
   * The path has made no progress although the peer is at work and its network stack acknowledges:
   * it gets no more chunks until it moves or keep-alive gives it up.
   */
  record Suspended(int path, long atNs) implements PathEvent {}

  /**
   * The path was carrying chunks and is lost.
   *
   * @param cause why, with both addresses; the first failure and not what followed from it
   * @param flushed work requests that ended with it
   */
  record Down(int path, long atNs, String cause, long flushed) implements PathEvent {}

  /**
   * The peer has fenced a lost path: nothing can land through it any more.
   *
   * @param repeated chunks that had not arrived and go over other paths
   */
  record FailedOver(int path, long atNs, int repeated) implements PathEvent {}

  /**
   * The path is connected again and is being probed.
   *
   * @param generation how often it has been connected anew
   */
  record Probing(int path, long atNs, int generation) implements PathEvent {}

  /**
   * The path could not be connected, or its probes were not answered.
   *
   * @param cause why
   * @param nextAttempt time until it is tried again; zero on the accepting side, whose peer does it
   */
  record AttemptFailed(int path, long atNs, String cause, Duration nextAttempt)
      implements PathEvent {}

  /**
   * The connection begins to follow its {@link PathController}, or decides for itself again.
   *
   * @param following whether it follows
   * @param cause why it does not; empty when it does
   */
  record Steered(int path, long atNs, boolean following, String cause) implements PathEvent {}

  /**
   * Something that the {@link PathController} said was not done.
   *
   * @param reason why not
   */
  record Refused(int path, long atNs, String reason) implements PathEvent {}
}
