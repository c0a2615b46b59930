package io.maestro.path;

import io.maestro.api.PathSample;
import io.maestro.verbs.Signals;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Turns the counters of the paths into samples, one for each path and interval. The session says
 * when an interval ends; {@link #periodNs()} says when that should be.
 *
 * <p>One connection's loop, but for {@link #samples()}.
 */
public final class PathMonitor {
  private static final long LEAST_PERIOD_NS = 2_000_000;
  private static final long MOST_PERIOD_NS = 100_000_000;
  private static final int BUFFERED_SAMPLES = 256;

  /** How long the smoothed rates look back: a path that a busy core held up is not slow. */
  private static final double SMOOTHING_NS = 50e6;

  private final Sinks.Many<PathSample> sink = Sinks.many().multicast().directBestEffort();
  private final List<Seen> seen = new ArrayList<>();
  private long startNs;
  private long periodNs = LEAST_PERIOD_NS;

  /**
   * What has been counted and measured of a path up to a moment.
   *
   * @param usable whether it may carry chunks
   * @param ackedBytes bytes acknowledged so far
   * @param inFlightBytes bytes that are unacknowledged
   * @param rateBytesPerSecond delivery rate, 0 when unknown
   * @param rttNs smoothed round-trip time in nanoseconds, 0 when unknown
   * @param minRttNs shortest round-trip time in nanoseconds, 0 when unknown
   * @param silenceNs longest silence in nanoseconds, see {@link PathSample#silenceNs()}
   * @param lag see {@link PathSample#lag()}
   * @param signals what the network said so far
   */
  public record Counters(
      boolean usable,
      long ackedBytes,
      long inFlightBytes,
      long rateBytesPerSecond,
      long rttNs,
      long minRttNs,
      long silenceNs,
      double lag,
      Signals signals) {}

  /** The state of one path at the end of the last interval. */
  private static final class Seen {
    private long ackedBytes;
    private double carried;
    private double measured;
    private Signals signals = Signals.NONE;
  }

  /** An interval begins now: what was before is not counted, such as a time without work. */
  public void start(long nowNs, List<Counters> paths) {
    startNs = nowNs;
    for (int path = 0; path < paths.size(); path++) {
      remember(path, paths.get(path));
    }
  }

  private Seen remember(int path, Counters now) {
    if (path == seen.size()) {
      seen.add(new Seen());
    }
    Seen last = seen.get(path);
    last.ackedBytes = now.ackedBytes();
    last.signals = now.signals();
    return last;
  }

  /**
   * Ends the interval and begins the next.
   *
   * @param nowNs time of the connection's loop
   * @param paths the counters of each path by its number
   * @return a sample for each
   */
  public List<PathSample> end(long nowNs, List<Counters> paths) {
    List<PathSample> samples = new ArrayList<>(paths.size());
    long longestRttNs = 0;
    for (int path = 0; path < paths.size(); path++) {
      Counters now = paths.get(path);
      longestRttNs = Math.max(longestRttNs, now.usable() ? now.rttNs() : 0);
      samples.add(sample(path, now, nowNs - startNs));
    }
    startNs = nowNs;
    periodNs = Math.clamp(longestRttNs, LEAST_PERIOD_NS, MOST_PERIOD_NS);
    if (sink.currentSubscriberCount() > 0) {
      samples.forEach(sink::tryEmitNext);
    }
    return samples;
  }

  private PathSample sample(int path, Counters now, long intervalNs) {
    if (path == seen.size()) {
      seen.add(new Seen());
    }
    Seen last = seen.get(path);
    long acked = Math.max(0, now.ackedBytes() - last.ackedBytes);
    Signals before = last.signals;
    long packets = delta(now.signals().deliveredPackets(), before.deliveredPackets());
    long marks = delta(now.signals().congestionMarks(), before.congestionMarks());
    long retransmits = delta(now.signals().retransmits(), before.retransmits());
    double fraction = marks < 0 ? PathSample.ABSENT : marks == 0 ? 0 : part(marks, packets);
    last.carried = smooth(last.carried, (long) (acked * 1e9 / Math.max(1, intervalNs)), intervalNs);
    last.measured = smooth(last.measured, now.rateBytesPerSecond(), intervalNs);
    remember(path, now);
    return new PathSample(
        path,
        now.usable(),
        intervalNs,
        acked,
        now.inFlightBytes(),
        (long) (last.measured > 0 ? last.measured : last.carried),
        now.rttNs(),
        now.minRttNs(),
        now.silenceNs(),
        marks,
        fraction,
        retransmits,
        now.lag());
  }

  private static double part(long marks, long packets) {
    return packets <= 0 ? 1 : Math.min(1, (double) marks / packets);
  }

  /** A counter that goes backwards belongs to a new queue pair. */
  private static long delta(long now, long before) {
    if (now == Signals.ABSENT || before == Signals.ABSENT) {
      return PathSample.ABSENT;
    }
    return now >= before ? now - before : now;
  }

  private static double smooth(double before, long now, long intervalNs) {
    boolean known = before > 0 && now > 0;
    return known ? before + (now - before) * Math.min(1, intervalNs / SMOOTHING_NS) : now;
  }

  /** How long the next interval should be: about a round trip, 2 to 100 ms. */
  public long periodNs() {
    return periodNs;
  }

  /**
   * The samples as they are taken. A subscriber that is slow misses the oldest of more than 256.
   * Completes with {@link #close}. Any thread may subscribe; delivered on the connection's loop.
   */
  public Flux<PathSample> samples() {
    return sink.asFlux().onBackpressureBuffer(BUFFERED_SAMPLES, BufferOverflowStrategy.DROP_OLDEST);
  }

  /** There will be no more samples. */
  public void close() {
    sink.tryEmitComplete();
  }
}
