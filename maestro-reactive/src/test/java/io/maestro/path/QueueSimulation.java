package io.maestro.path;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/** Paths as queues with a rate and a round-trip time, driven by {@link EarliestCompletion}. */
final class QueueSimulation {
  private static final int CHUNK = 50 * 1024;

  private record Ack(long atNs, int path, int bytes, long sentNs) {}

  final long[] bytesByPath;
  final PathLoad load;
  private final long[] rates;
  private final long rttNs;
  private final double[] freeAtNs;
  private final DeliveryRate[] estimators;
  private final PriorityQueue<Ack> acks =
      new PriorityQueue<>((a, b) -> Long.compare(a.atNs, b.atNs));
  private final Deque<Integer> chunks = new ArrayDeque<>();
  private boolean estimate;
  private long backlogBytes;
  private long nowNs;
  private int start;

  QueueSimulation(List<Long> rates, long rttNs, long windowBytes) {
    int paths = rates.size();
    this.rates = rates.stream().mapToLong(rate -> rate).toArray();
    this.rttNs = rttNs;
    bytesByPath = new long[paths];
    freeAtNs = new double[paths];
    estimators =
        IntStream.range(0, paths).mapToObj(i -> new DeliveryRate()).toArray(DeliveryRate[]::new);
    load = new PathLoad(paths);
    load.paths(paths);
    for (int path = 0; path < paths; path++) {
      load.usable(path, true);
      load.measured(path, windowBytes, this.rates[path], rttNs);
    }
  }

  /** Uses measured rates and the windows that follow from them instead of the true rates. */
  QueueSimulation measured() {
    estimate = true;
    for (int path = 0; path < rates.length; path++) {
      load.measured(path, 16 * CHUNK, 0, 0);
    }
    return this;
  }

  /** From now on the path is that fast. */
  void rate(int path, long bytesPerSecond) {
    rates[path] = bytesPerSecond;
  }

  /** Sends that many chunks; returns the time until the last one is delivered. */
  long send(int count) {
    long beginNs = nowNs;
    for (int i = 0; i < count; i++) {
      chunks.add(CHUNK);
    }
    backlogBytes = (long) count * CHUNK;
    issue();
    while (!acks.isEmpty()) {
      onAck(acks.poll());
      issue();
    }
    if (!chunks.isEmpty()) {
      throw new AssertionError("nothing is in flight and " + chunks.size() + " chunks wait");
    }
    return nowNs - rttNs / 2 - beginNs;
  }

  private void onAck(Ack ack) {
    nowNs = ack.atNs;
    load.addUnacked(ack.path, -ack.bytes);
    estimators[ack.path].onAcked(ack.bytes, ack.sentNs, nowNs);
    if (estimate) {
      DeliveryRate rate = estimators[ack.path];
      long window = PathWindow.windowBytes(rate.bytesPerSecond(), rate.minRttNs(), CHUNK, 64 << 20);
      load.measured(ack.path, window, rate.bytesPerSecond(), rate.minRttNs());
    }
  }

  private void issue() {
    Integer chunk;
    while ((chunk = chunks.peek()) != null) {
      int path = EarliestCompletion.choose(load, chunk, backlogBytes - chunk, start);
      if (path == EarliestCompletion.WAIT) {
        return;
      }
      chunks.poll();
      start = path + 1;
      backlogBytes -= chunk;
      transmit(path, chunk);
    }
  }

  private void transmit(int path, int bytes) {
    freeAtNs[path] = Math.max(freeAtNs[path], (double) nowNs) + bytes * 1e9 / rates[path];
    acks.add(new Ack((long) freeAtNs[path] + rttNs, path, bytes, nowNs));
    load.addUnacked(path, bytes);
    estimators[path].onSent(bytes, nowNs);
    bytesByPath[path] += bytes;
  }

  static long chunkNs(long rate) {
    return CHUNK * 1_000_000_000L / rate;
  }

  /** How long that many chunks take at the rates of all paths together, round trip left out. */
  long idealNs(int count) {
    return (long)
        (count
            * (double) CHUNK
            * 1e9
            / IntStream.range(0, rates.length).mapToLong(i -> rates[i]).sum());
  }

  long rttNs() {
    return rttNs;
  }
}
