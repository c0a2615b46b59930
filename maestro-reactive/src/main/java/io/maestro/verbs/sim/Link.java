package io.maestro.verbs.sim;

import java.util.SplittableRandom;

/** One direction between two addresses: a finite queue, a rate, a delay, and its faults. */
final class Link {
  private static final double NS_PER_SECOND = 1e9;

  /** What the fabric did with a packet. */
  enum Fate {
    LOST,
    CARRIED,
    MARKED
  }

  private final Timeline timeline;
  private final SplittableRandom random;
  private final int id;
  private LinkOptions options;
  private double nsPerByte;
  private double busyUntilNs;
  private boolean up = true;
  private boolean blackHole;
  private long drops;

  Link(Timeline timeline, SplittableRandom random, int id, LinkOptions options) {
    this.timeline = timeline;
    this.random = random;
    this.id = id;
    this.options = options;
    nsPerByte = NS_PER_SECOND / options.bytesPerSecond();
  }

  /** Applies to packets from now on; what waits in the queue waits at the new rate. */
  void set(LinkOptions newOptions) {
    double waitingBytes = waitingBytes();
    options = newOptions;
    nsPerByte = NS_PER_SECOND / newOptions.bytesPerSecond();
    busyUntilNs = timeline.nowNs() + waitingBytes * nsPerByte;
  }

  void setUp(boolean isUp) {
    up = isUp;
  }

  void setBlackHole(boolean swallows) {
    blackHole = swallows;
  }

  boolean isUp() {
    return up;
  }

  /** Packets lost so far, for whatever reason. */
  long drops() {
    return drops;
  }

  /** When the last packet that was accepted will have left, now if it has. */
  long departureNs() {
    return Math.max(timeline.nowNs(), (long) Math.ceil(busyUntilNs));
  }

  /** Lets the packet arrive later, or loses it. */
  Fate carry(SimEvent packet, int wireBytes) {
    double waitingBytes = waitingBytes();
    if (!up || blackHole || waitingBytes + wireBytes > options.queueBytes()) {
      return lost(wireBytes);
    }
    busyUntilNs = Math.max(busyUntilNs, (double) timeline.nowNs()) + wireBytes * nsPerByte;
    if (isUnlucky()) {
      return lost(wireBytes);
    }
    timeline.at((long) Math.ceil(busyUntilNs) + flightNs(), packet);
    boolean marked = waitingBytes > options.ecnThresholdBytes();
    timeline.trace(marked ? 1 : 0, id, wireBytes);
    return marked ? Fate.MARKED : Fate.CARRIED;
  }

  private Fate lost(int wireBytes) {
    drops++;
    timeline.trace(-1, id, wireBytes);
    return Fate.LOST;
  }

  private double waitingBytes() {
    return Math.max(0, busyUntilNs - timeline.nowNs()) / nsPerByte;
  }

  private boolean isUnlucky() {
    double probability = options.lossProbability();
    return probability > 0 && random.nextDouble() < probability;
  }

  private long flightNs() {
    long delayNs = options.delay().toNanos();
    long jitterNs = options.jitter().toNanos();
    long flightNs = delayNs + (jitterNs > 0 ? random.nextLong(jitterNs + 1) : 0);
    double probability = options.reorderProbability();
    boolean heldBack = probability > 0 && random.nextDouble() < probability;
    return heldBack ? flightNs + delayNs + jitterNs : flightNs;
  }
}
