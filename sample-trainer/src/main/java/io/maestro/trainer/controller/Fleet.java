package io.maestro.trainer.controller;

import io.maestro.api.ControlReport;
import io.maestro.api.PathDirective;
import io.maestro.api.PathReport;
import io.maestro.verbs.NanoClock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections that report to the controller, and what each is to do. Any thread, but for {@link
 * #plan}, which one calls now and then.
 */
final class Fleet {
  /** Most connections; each takes some kilobytes. */
  static final int MOST = 1024;

  /** A connection that says nothing for this time is forgotten. */
  static final Duration SILENCE = Duration.ofSeconds(3);

  /** A connection that has carried nothing for this time takes no part in what is fair. */
  static final Duration IDLE = Duration.ofSeconds(5);

  private final Policy policy;
  private final NanoClock clock;
  private final Map<String, Member> members = new ConcurrentHashMap<>();
  private final Map<String, List<PathDirective>> orders = new ConcurrentHashMap<>();

  /** What a controller wants of the connections of all hosts, by their reports. */
  @FunctionalInterface
  interface Policy {
    Map<String, List<PathDirective>> plan(Map<String, List<PathReport>> connections);
  }

  private record Member(ControlReport report, long reportedNs, long movedNs) {
    long ackedBytes() {
      return report.paths().stream().mapToLong(PathReport::ackedBytes).sum();
    }
  }

  Fleet(Policy policy, NanoClock clock) {
    this.policy = policy;
    this.clock = clock;
  }

  /** Takes a report; false when there are too many connections. */
  boolean report(String id, ControlReport report) {
    if (!members.containsKey(id) && members.size() >= MOST) {
      return false;
    }
    long nowNs = clock.nanoTime();
    members.merge(
        id,
        new Member(report, nowNs, nowNs),
        (before, now) ->
            now.ackedBytes() == before.ackedBytes()
                ? new Member(report, nowNs, before.movedNs)
                : now);
    return true;
  }

  /** Plans for all that are there and carry something; others keep what they were told. */
  void plan() {
    long nowNs = clock.nanoTime();
    members.values().removeIf(member -> nowNs - member.reportedNs > SILENCE.toNanos());
    orders.keySet().retainAll(members.keySet());
    Map<String, List<PathReport>> busy = new HashMap<>();
    members.forEach(
        (id, member) -> {
          if (nowNs - member.movedNs <= IDLE.toNanos()) {
            busy.put(id, member.report.paths());
          }
        });
    orders.putAll(policy.plan(busy));
  }

  /** What a connection is to do; empty when nothing is known of it yet. */
  List<PathDirective> orders(String id) {
    return orders.getOrDefault(id, List.of());
  }

  int size() {
    return members.size();
  }
}
