package io.maestro.net;

import io.maestro.net.ProbeWire.Answer;
import io.maestro.net.ProbeWire.Probe;
import io.maestro.verbs.NanoClock;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Asks many 5-tuples for the same or different hops at once: sends as fast as the rate allows,
 * repeats what is not answered in time, and ends when everything is answered or given up. One
 * thread.
 */
final class ProbeRound {
  /** How long a stop may go unnoticed. */
  private static final long STEP_NS = 20_000_000;

  private final ProbeWire wire;
  private final NanoClock clock;
  private final ProbeOptions options;
  private final RateLimit limit;
  private final BooleanSupplier stopped;

  /** What a probe came to. */
  sealed interface Result {
    /** Something came back. */
    record Answered(Answer answer, long rttNs) implements Result {}

    /** Nothing did. */
    record Silent() implements Result {}

    /** It could not be sent. */
    record Unsendable(String reason) implements Result {}
  }

  private record Waiting(long sentNs, int attempt) {}

  /**
   * @param stopped whether to give up, such as at a deadline
   */
  ProbeRound(
      ProbeWire wire,
      NanoClock clock,
      ProbeOptions options,
      RateLimit limit,
      BooleanSupplier stopped) {
    this.wire = wire;
    this.clock = clock;
    this.options = options;
    this.limit = limit;
    this.stopped = stopped;
  }

  /** Asks all of them; a probe without a result was not finished before the stop. */
  Map<Probe, Result> ask(List<Probe> probes) {
    ArrayDeque<Probe> unsent = new ArrayDeque<>(probes);
    Map<Probe, Waiting> waiting = new HashMap<>();
    Map<Probe, Integer> attempts = new HashMap<>();
    Map<Probe, Result> results = new HashMap<>();
    while (!stopped.getAsBoolean() && !(unsent.isEmpty() && waiting.isEmpty())) {
      long delayNs = send(unsent, waiting, attempts, results);
      long waitNs = Math.min(Math.min(delayNs, untilTimeoutNs(waiting)), STEP_NS);
      wire.await(waitNs, answer -> onAnswer(answer, waiting, results));
      expire(unsent, waiting, results);
    }
    waiting.keySet().forEach(wire::forget);
    return results;
  }

  /** Sends what may be sent now; returns after how long more may be, in nanoseconds. */
  private long send(
      ArrayDeque<Probe> unsent,
      Map<Probe, Waiting> waiting,
      Map<Probe, Integer> attempts,
      Map<Probe, Result> results) {
    while (!unsent.isEmpty() && waiting.size() < options.burst()) {
      long nowNs = clock.nanoTime();
      long delayNs = limit.take(nowNs);
      if (delayNs > 0) {
        return delayNs;
      }
      Probe probe = unsent.removeFirst();
      String refusal = wire.send(probe);
      if (refusal != null) {
        results.put(probe, new Result.Unsendable(refusal));
      } else {
        waiting.put(probe, new Waiting(nowNs, attempts.merge(probe, 1, Integer::sum)));
      }
    }
    return STEP_NS;
  }

  private long untilTimeoutNs(Map<Probe, Waiting> waiting) {
    long nowNs = clock.nanoTime();
    long least = STEP_NS;
    for (Waiting entry : waiting.values()) {
      least = Math.min(least, entry.sentNs + options.hopTimeout().toNanos() - nowNs);
    }
    return Math.max(0, least);
  }

  private void onAnswer(Answer answer, Map<Probe, Waiting> waiting, Map<Probe, Result> results) {
    Waiting sent = waiting.remove(answer.probe());
    if (sent != null) {
      results.put(answer.probe(), new Result.Answered(answer, clock.nanoTime() - sent.sentNs));
    }
  }

  private void expire(
      ArrayDeque<Probe> unsent, Map<Probe, Waiting> waiting, Map<Probe, Result> results) {
    long nowNs = clock.nanoTime();
    Iterator<Map.Entry<Probe, Waiting>> all = waiting.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Probe, Waiting> entry = all.next();
      if (nowNs - entry.getValue().sentNs >= options.hopTimeout().toNanos()) {
        all.remove();
        wire.forget(entry.getKey());
        if (entry.getValue().attempt < options.attempts()) {
          unsent.addLast(entry.getKey());
        } else {
          results.put(entry.getKey(), new Result.Silent());
        }
      }
    }
  }
}
