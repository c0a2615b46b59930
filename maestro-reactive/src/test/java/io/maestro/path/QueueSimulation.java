package io.maestro.path;

import io.maestro.api.PathSample;
import io.maestro.verbs.Signals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Paths as queues with a rate and a round-trip time, driven by a {@link LoadBalancer}. */
final class QueueSimulation {
  static final int CHUNK = 50 * 1024;
  private static final long MAX_WINDOW = 4 << 20;
  private static final double FORGET_NS = 1e9;

  private record Ack(long atNs, int path, int bytes, long sentNs) {}

  final long[] bytesByPath;
  final long[] ackedByPath;
  final PathLoad load;
  private final long[] rates;
  private final long[] rttNs;
  private final double[] freeAtNs;
  private final DeliveryRate[] estimators;
  private final PriorityQueue<Ack> acks =
      new PriorityQueue<>((a, b) -> Long.compare(a.atNs, b.atNs));
  private final PathMonitor monitor = new PathMonitor();
  private final PathPlan plan;
  private @Nullable LoadBalancer balancer;
  private long markAboveBytes = Long.MAX_VALUE;
  private final long[] packets;
  private final long[] marks;
  private long nextTickNs;
  private long lastTickNs;
  private long backlogBytes;
  private long nowNs;

  QueueSimulation(List<Long> rates, long rttNs, long windowBytes) {
    int paths = rates.size();
    this.rates = rates.stream().mapToLong(rate -> rate).toArray();
    this.rttNs = new long[paths];
    Arrays.fill(this.rttNs, rttNs);
    bytesByPath = new long[paths];
    ackedByPath = new long[paths];
    packets = new long[paths];
    marks = new long[paths];
    freeAtNs = new double[paths];
    plan = new PathPlan(paths, CHUNK, MAX_WINDOW);
    estimators =
        IntStream.range(0, paths).mapToObj(i -> new DeliveryRate()).toArray(DeliveryRate[]::new);
    load = new PathLoad(paths);
    load.paths(paths);
    for (int path = 0; path < paths; path++) {
      load.usable(path, true);
      load.measured(path, this.rates[path], rttNs);
      load.window(path, windowBytes, windowBytes);
    }
  }

  /** Lets a strategy plan by what it sees, instead of true rates and given windows. */
  QueueSimulation with(LoadBalancer strategy) {
    balancer = strategy;
    monitor.start(0, counters());
    tick();
    return this;
  }

  /** Marks chunks that find more than this in the queue of their path. */
  QueueSimulation markingAbove(long bytes) {
    markAboveBytes = bytes;
    return this;
  }

  /** From now on the path is that fast. */
  void rate(int path, long bytesPerSecond) {
    double waitingBytes = Math.max(0, freeAtNs[path] - nowNs) * rates[path] / 1e9;
    rates[path] = bytesPerSecond;
    freeAtNs[path] = nowNs + waitingBytes * 1e9 / bytesPerSecond;
  }

  /** From now on the path is that long. */
  void rtt(int path, long roundTripNs) {
    rttNs[path] = roundTripNs;
  }

  double weight(int path) {
    double sum = IntStream.range(0, rates.length).mapToDouble(plan::weight).sum();
    return plan.weight(path) / sum;
  }

  /** Sends that many chunks; returns the time until the last one is delivered. */
  long send(int count) {
    long beginNs = nowNs;
    backlogBytes = (long) count * CHUNK;
    issue();
    while (!acks.isEmpty()) {
      advance();
    }
    if (backlogBytes > 0) {
      throw new AssertionError("nothing is in flight and " + backlogBytes + " bytes wait");
    }
    return nowNs - rttNs[0] / 2 - beginNs;
  }

  /** Sends without an end for that long; returns the bytes acknowledged meanwhile by path. */
  long[] sendFor(long durationNs) {
    long[] before = ackedByPath.clone();
    long untilNs = nowNs + durationNs;
    backlogBytes = Long.MAX_VALUE / 4;
    issue();
    while (nowNs < untilNs) {
      advance();
    }
    return IntStream.range(0, before.length).mapToLong(i -> ackedByPath[i] - before[i]).toArray();
  }

  private void advance() {
    Ack ack = acks.remove();
    nowNs = ack.atNs;
    load.settled(ack.path, ack.bytes);
    ackedByPath[ack.path] += ack.bytes;
    estimators[ack.path].onAcked(ack.bytes, ack.sentNs, nowNs);
    if (nowNs >= nextTickNs) {
      tick();
    }
    issue();
  }

  private void tick() {
    LoadBalancer strategy = balancer;
    if (strategy == null) {
      return;
    }
    load.forget(Math.min(1, (nowNs - lastTickNs) / FORGET_NS));
    List<PathSample> samples = monitor.end(nowNs, counters());
    strategy.plan(samples, plan);
    for (PathSample sample : samples) {
      int path = sample.path();
      load.weight(path, plan.weight(path));
      load.window(path, plan.neededBytes(path), plan.windowBytes(path));
      load.measured(path, plan.rateBytesPerSecond(path), sample.minRttNs());
    }
    lastTickNs = nowNs;
    nextTickNs = nowNs + monitor.periodNs();
  }

  private List<PathMonitor.Counters> counters() {
    List<PathMonitor.Counters> all = new ArrayList<>();
    for (int path = 0; path < rates.length; path++) {
      DeliveryRate rate = estimators[path];
      all.add(
          new PathMonitor.Counters(
              true,
              ackedByPath[path],
              load.unackedBytes(path),
              rate.bytesPerSecond(),
              rate.rttNs(),
              rate.minRttNs(),
              rate.silenceNs(),
              load.takeLag(path),
              new Signals(packets[path], marks[path], 0, rate.rttNs(), Signals.ABSENT)));
    }
    return all;
  }

  private void issue() {
    while (backlogBytes > 0) {
      int path = choose();
      if (path == EarliestCompletion.WAIT) {
        return;
      }
      backlogBytes -= CHUNK;
      transmit(path);
    }
  }

  private int choose() {
    long backlog = backlogBytes - CHUNK;
    return balancer == null
        ? EarliestCompletion.choose(load, CHUNK, backlog)
        : balancer.choose(load, CHUNK, backlog);
  }

  private void transmit(int path) {
    double waitingBytes = Math.max(0, freeAtNs[path] - nowNs) * rates[path] / 1e9;
    packets[path]++;
    marks[path] += waitingBytes > markAboveBytes ? 1 : 0;
    freeAtNs[path] = Math.max(freeAtNs[path], (double) nowNs) + CHUNK * 1e9 / rates[path];
    acks.add(new Ack((long) freeAtNs[path] + rttNs[path], path, CHUNK, nowNs));
    load.issued(path, CHUNK);
    estimators[path].onSent(CHUNK, nowNs);
    bytesByPath[path] += CHUNK;
  }

  static long chunkNs(long rate) {
    return CHUNK * 1_000_000_000L / rate;
  }

  /** How long that many chunks take at the rates of all paths together, round trip left out. */
  long idealNs(int count) {
    return (long) (count * (double) CHUNK * 1e9 / Arrays.stream(rates).sum());
  }

  long rttNs() {
    return rttNs[0];
  }
}
