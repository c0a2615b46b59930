package io.maestro.verbs.sim;

import io.maestro.verbs.EventLoop;
import io.maestro.verbs.NanoClock;
import io.maestro.verbs.VerbsProvider;
import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import reactor.core.scheduler.Scheduler;

/**
 * A simulated network in virtual time. Everything of its devices happens on the thread that calls
 * {@link #runUntil} or {@link #runFor}, while it calls them, and time passes nowhere else: a test
 * with the same seed and the same calls runs the same way every time.
 *
 * <p>Between each two addresses there is a link per direction. Queue pairs are reliable: what a
 * link loses is sent again, at the price of time. Only the methods of this class that drive or
 * change the fabric must be called by one thread at a time; they do not wait for real time.
 */
public final class SimFabric implements NanoClock {
  private final Network network;
  private final Driver driver;
  private final VerbsProvider provider;
  private final Scheduler scheduler;

  private record Ends(InetAddress one, InetAddress other) {}

  private SimFabric(Network network) {
    this.network = network;
    driver = new Driver(network.timeline());
    provider = new SimProvider(driver, network);
    scheduler = new SimScheduler(driver);
  }

  /** A fabric to be described. */
  public static Builder builder() {
    return new Builder();
  }

  /** The fabric as a provider, named {@code sim}; its devices may bind every address. */
  public VerbsProvider provider() {
    return provider;
  }

  /**
   * A scheduler in virtual time, for operators with time and for what runs beside the connections.
   * Its tasks run one after the other while the fabric is driven, on the driving thread but never
   * within a turn of a device's loop. It cannot be disposed.
   */
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Virtual nanoseconds since the fabric was built; any thread. */
  @Override
  public long nanoTime() {
    return network.timeline().nowNs();
  }

  /**
   * Lets virtual time pass until the condition holds or {@code maxVirtual} is over. The condition
   * is looked at after each turn of a loop.
   *
   * @return whether the condition holds
   * @throws IllegalStateException when called by a handler or a task of the fabric
   */
  public boolean runUntil(BooleanSupplier condition, Duration maxVirtual) {
    return driver.runUntil(condition, nanoTime() + maxVirtual.toNanos());
  }

  /** Lets this much virtual time pass. */
  public void runFor(Duration virtual) {
    runUntil(() -> false, virtual);
  }

  /** Changes both directions of a link for packets that are sent from now on. */
  public void setLink(InetAddress one, InetAddress other, LinkOptions options) {
    network.link(one, other).set(options);
    network.link(other, one).set(options);
  }

  /** Changes one direction of a link for packets that are sent from now on. */
  public void setLinkOneWay(InetAddress from, InetAddress to, LinkOptions options) {
    network.link(from, to).set(options);
  }

  /** Takes a link down or up, both directions: while down it loses everything, and is known to. */
  public void setUp(InetAddress one, InetAddress other, boolean up) {
    network.link(one, other).setUp(up);
    network.link(other, one).setUp(up);
  }

  /** Makes one direction of a link lose everything in silence, or ends that. */
  public void setBlackHole(InetAddress from, InetAddress to, boolean swallows) {
    network.link(from, to).setBlackHole(swallows);
  }

  /**
   * Makes a loop of one of this fabric's devices take no turns, as if its process was stopped, or
   * ends that. The queue pairs' transport goes on, as a network card does.
   *
   * @throws IllegalArgumentException when the loop is of another provider
   */
  public void setFrozen(EventLoop loop, boolean frozen) {
    if (!(loop instanceof SimLoop mine)) {
      throw new IllegalArgumentException("the loop is not of a simulated device");
    }
    mine.setFrozen(frozen);
  }

  /**
   * Breaks every connection between two addresses at once: both ends are in error, what was posted
   * is flushed, and {@code onClosed} tells {@code CONNECTION_LOST}. New connections can be made.
   */
  public void breakConnections(InetAddress one, InetAddress other) {
    driver.exclusively(() -> network.breakConnections(one, other));
  }

  /**
   * What tasks, timers and handlers on the loops have thrown so far, the first hundred. The loops
   * went on; a test should find nothing here.
   */
  public List<Throwable> thrown() {
    return driver.thrown();
  }

  /** Packets that one direction of a link has lost so far, for whatever reason. */
  public long drops(InetAddress from, InetAddress to) {
    return network.link(from, to).drops();
  }

  /** A hash over every packet so far: when, on which link, how long, and its fate. */
  public long traceHash() {
    return network.timeline().hash();
  }

  /** Describes a fabric. */
  public static final class Builder {
    private static final long DEFAULT_WINDOW_BYTES = 4L << 20;
    private static final int DEFAULT_UNIT_BYTES = 1 << 16;
    private static final int LARGEST_UNIT_BYTES = 1 << 20;
    private static final Duration DEFAULT_RETRY_LIMIT = Duration.ofSeconds(30);

    private final Set<InetAddress> addresses = new LinkedHashSet<>();
    private final Map<Ends, LinkOptions> links = new LinkedHashMap<>();
    private LinkOptions defaultLink = LinkOptions.defaults();
    private long seed;
    private int unitBytes = DEFAULT_UNIT_BYTES;
    private long windowBytes = DEFAULT_WINDOW_BYTES;
    private Duration retryLimit = DEFAULT_RETRY_LIMIT;
    private boolean signals = true;

    private Builder() {}

    /** The seed of everything random; 0 by default. */
    public Builder seed(long value) {
      seed = value;
      return this;
    }

    /** Adds an address that devices may bind, such as {@code 10.0.0.1}; never resolved by DNS. */
    public Builder address(String literal) {
      return address(InetAddress.ofLiteral(literal));
    }

    /** Adds an address that devices may bind. */
    public Builder address(InetAddress address) {
      addresses.add(address);
      return this;
    }

    /** How the links are that {@link #link} does not name. */
    public Builder links(LinkOptions options) {
      defaultLink = options;
      return this;
    }

    /** How both directions between two addresses are; adds the addresses. */
    public Builder link(String one, String other, LinkOptions options) {
      InetAddress oneEnd = InetAddress.ofLiteral(one);
      InetAddress otherEnd = InetAddress.ofLiteral(other);
      address(oneEnd).address(otherEnd);
      links.put(new Ends(oneEnd, otherEnd), options);
      return this;
    }

    /** Largest payload of a simulated packet, in bytes, 1 to 1 MiB; 64 KiB by default. */
    public Builder unitBytes(int bytes) {
      if (bytes < 1 || bytes > LARGEST_UNIT_BYTES) {
        throw new IllegalArgumentException(
            "a unit has 1 to " + LARGEST_UNIT_BYTES + " bytes, was " + bytes);
      }
      unitBytes = bytes;
      return this;
    }

    /** Bytes that a queue pair has under way at most; 4 MiB by default. */
    public Builder windowBytes(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException("the window must be positive, was " + bytes);
      }
      windowBytes = bytes;
      return this;
    }

    /** How long a queue pair retries without any answer before it is lost; 30 s by default. */
    public Builder retryLimit(Duration limit) {
      if (limit.isNegative() || limit.isZero()) {
        throw new IllegalArgumentException("the retry limit must be positive, was " + limit);
      }
      retryLimit = limit;
      return this;
    }

    /** Whether queue pairs know their signals; true by default, else all are absent. */
    public Builder signals(boolean present) {
      signals = present;
      return this;
    }

    /** Builds the fabric, at virtual time 0. */
    public SimFabric build() {
      FabricOptions options =
          new FabricOptions(seed, unitBytes, windowBytes, retryLimit.toNanos(), signals);
      SimFabric fabric = new SimFabric(new Network(options, addresses, defaultLink));
      links.forEach((ends, link) -> fabric.setLink(ends.one(), ends.other(), link));
      return fabric;
    }
  }
}
