package io.maestro.api;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a Maestro instance, checked; made by {@link #with}.
 *
 * @param provider name of the verbs provider, such as {@code iwarp}
 * @param localAddresses local aliases (virtual NICs) that outgoing paths are bound to, in turn;
 *     empty: on loopback 127.0.0.1, 127.0.0.2, …, elsewhere the system's choice
 * @param paths how many paths an outgoing connection has, 1 to 64
 * @param chunkBytes size of a chunk, 4 KiB to 1 MiB; the default of 50 KiB is the Maestro paper's
 * @param eagerBytes largest message that is sent without a rendezvous, 0 to 64 KiB
 * @param balancer name of the strategy that spreads chunks over the paths: {@code cnp-weighted},
 *     {@code round-robin}, {@code random}, {@code least-in-flight}, or one of your own; with a
 *     {@link PathController} the one that is used while the controller is lost
 * @param memoryBudgetBytes most memory that received messages may hold at once
 * @param windowBytes most bytes that one path may have unacknowledged
 * @param maxMessages most messages that may be under way in one direction of a connection
 * @param loops event loops
 * @param checksum whether to ask for an end-to-end checksum of every segment
 * @param security who may connect
 * @param timeouts deadlines
 * @param breaker when a path is given up, and when it is tried again
 * @param routing how the routes of outgoing paths are chosen
 * @param control how far a {@link PathController} is followed
 */
public record MaestroConfig(
    String provider,
    List<InetAddress> localAddresses,
    int paths,
    int chunkBytes,
    int eagerBytes,
    String balancer,
    long memoryBudgetBytes,
    long windowBytes,
    int maxMessages,
    int loops,
    boolean checksum,
    Security security,
    Timeouts timeouts,
    Breaker breaker,
    Routing routing,
    Control control) {

  /** Checks the values. */
  public MaestroConfig {
    localAddresses = List.copyOf(localAddresses);
    require(!provider.isBlank(), "provider", "a name", provider);
    require(paths >= 1 && paths <= 64, "paths", "1 to 64", paths);
    require(
        chunkBytes >= 4096 && chunkBytes <= 1 << 20, "chunkBytes", "4096 to 1048576", chunkBytes);
    require(eagerBytes >= 0 && eagerBytes <= 65536, "eagerBytes", "0 to 65536", eagerBytes);
    require(!balancer.isBlank(), "balancer", "a name", balancer);
    require(memoryBudgetBytes > 0, "memoryBudgetBytes", "positive", memoryBudgetBytes);
    require(windowBytes >= chunkBytes, "windowBytes", "at least chunkBytes", windowBytes);
    require(maxMessages >= 1 && maxMessages <= 65536, "maxMessages", "1 to 65536", maxMessages);
    require(loops >= 1 && loops <= 256, "loops", "1 to 256", loops);
  }

  private static void require(boolean holds, String name, String range, Object value) {
    if (!holds) {
      throw new IllegalArgumentException("%s must be %s, was %s".formatted(name, range, value));
    }
  }

  /** The defaults, changed by the given steps. */
  public static MaestroConfig with(UnaryOperator<Builder> steps) {
    return steps.apply(new Builder()).build();
  }

  /** The defaults. */
  public static MaestroConfig defaults() {
    return new Builder().build();
  }

  /**
   * Who may connect.
   *
   * @param secret what both peers know; empty for none, which only loopback addresses allow unless
   *     {@code allowUnauthenticated}
   * @param allowUnauthenticated lets peers connect without a secret on any address
   * @param tls encrypts every path by TLS 1.3, in which both peers show a certificate that the
   *     other's trust manager accepts; null for paths in the clear. Names in certificates are not
   *     compared: trust an authority that certifies peers of this application only
   */
  public record Security(String secret, boolean allowUnauthenticated, @Nullable SSLContext tls) {

    /** Whether peers may be on other machines: they prove who they are, or nobody asks. */
    public boolean admitsOtherMachines() {
      return !secret.isEmpty() || tls != null || allowUnauthenticated;
    }

    /** Hides the secret. */
    @Override
    public String toString() {
      return "Security[secret=%s, allowUnauthenticated=%s, tls=%s]"
          .formatted(secret.isEmpty() ? "none" : "***", allowUnauthenticated, tls != null);
    }
  }

  /**
   * Deadlines, all positive.
   *
   * @param connect for a whole connection with all its paths
   * @param send for one message, from subscription to completion
   * @param keepAlive the silence after which a peer is asked for a sign of life; after three times
   *     this it counts as lost
   * @param close for the sends under way when closing
   * @param reconnect how long a connection that has lost its last path waits for one to come back,
   *     counted from the last sign of life of the peer
   */
  public record Timeouts(
      Duration connect, Duration send, Duration keepAlive, Duration close, Duration reconnect) {
    /** Checks the values. */
    public Timeouts {
      for (Duration duration : List.of(connect, send, keepAlive, close, reconnect)) {
        require(
            duration.isPositive() && duration.toDays() <= 365, "timeouts", "positive", duration);
      }
    }
  }

  /**
   * The circuit breaker of each path.
   *
   * @param stall a path with work under way that makes no progress for this time, or for three
   *     round trips if that is longer, is lost, unless the peer is slow as a whole; 1 ms to 1 h
   * @param slow chunks that took longer than this, in a hundred looks in a row, ten of which are in
   *     each {@code stall}, take a path out while there is another; positive
   * @param backoff how long a lost path is left alone first; doubles with each attempt that fails
   * @param maxBackoff most of that; a path that flaps often waits up to 16 times as long
   * @param probes how many probes must be answered before a path carries chunks again, 1 to 100
   */
  public record Breaker(
      Duration stall, Duration slow, Duration backoff, Duration maxBackoff, int probes) {
    /** Checks the values. */
    public Breaker {
      require(
          stall.toMillis() >= 1 && stall.compareTo(Duration.ofHours(1)) <= 0,
          "breaker.stall",
          "1 ms to 1 h",
          stall);
      require(slow.isPositive() && slow.toDays() <= 365, "breaker.slow", "positive", slow);
      require(backoff.toMillis() >= 1, "breaker.backoff", "at least 1 ms", backoff);
      require(
          maxBackoff.compareTo(backoff) >= 0 && maxBackoff.toDays() <= 1,
          "breaker.maxBackoff",
          "at least breaker.backoff and at most a day",
          maxBackoff);
      require(probes >= 1 && probes <= 100, "breaker.probes", "1 to 100", probes);
    }

    /** 50 ms, 2 s, 100 ms, 1 s and 3 probes: a repaired path is back within 2 s. */
    public static Breaker defaults() {
      return new Breaker(
          Duration.ofMillis(50),
          Duration.ofSeconds(2),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          3);
    }
  }

  /**
   * How far a {@link PathController} is followed.
   *
   * @param floor how many usable paths it must leave to a connection that has as many, 1 to 64
   * @param silence it counts as lost when it has said nothing for this time, found out within a
   *     fifth of it; 100 ms to 1 min
   */
  public record Control(int floor, Duration silence) {
    /** One path, and 600 ms: it is found out within 0.72 s. */
    public static final Control DEFAULT = new Control(1, Duration.ofMillis(600));

    /** Checks the values. */
    public Control {
      require(floor >= 1 && floor <= 64, "control.floor", "1 to 64", floor);
      require(
          silence.toMillis() >= 100 && silence.compareTo(Duration.ofMinutes(1)) <= 0,
          "control.silence",
          "100 ms to 1 min",
          silence);
    }
  }

  /** Collects settings; not thread-safe. */
  public static final class Builder {
    private String provider = "iwarp";
    private List<InetAddress> localAddresses = List.of();
    private int paths = 4;
    private int chunkBytes = 50 * 1024;
    private int eagerBytes = 16 * 1024;
    private String balancer = "cnp-weighted";
    private long memoryBudgetBytes = Runtime.getRuntime().maxMemory();
    private long windowBytes = 4L << 20;
    private int maxMessages = 64;
    private int loops = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4);
    private boolean checksum;
    private Security security = new Security("", false, null);
    private Timeouts timeouts =
        new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10));
    private Breaker breaker = Breaker.defaults();
    private Routing routing = Routing.PROBE;
    private Control control = Control.DEFAULT;

    private Builder() {}

    /** See {@link MaestroConfig#provider()}. */
    public Builder provider(String value) {
      provider = value;
      return this;
    }

    /** See {@link MaestroConfig#localAddresses()}. */
    public Builder localAddresses(List<InetAddress> value) {
      localAddresses = value;
      return this;
    }

    /** See {@link MaestroConfig#paths()}. */
    public Builder paths(int value) {
      paths = value;
      return this;
    }

    /** See {@link MaestroConfig#chunkBytes()}. */
    public Builder chunkBytes(int value) {
      chunkBytes = value;
      return this;
    }

    /** See {@link MaestroConfig#eagerBytes()}. */
    public Builder eagerBytes(int value) {
      eagerBytes = value;
      return this;
    }

    /** See {@link MaestroConfig#balancer()}. */
    public Builder balancer(String value) {
      balancer = value;
      return this;
    }

    /** See {@link MaestroConfig#memoryBudgetBytes()}. */
    public Builder memoryBudgetBytes(long value) {
      memoryBudgetBytes = value;
      return this;
    }

    /** See {@link MaestroConfig#windowBytes()}. */
    public Builder windowBytes(long value) {
      windowBytes = value;
      return this;
    }

    /** See {@link MaestroConfig#maxMessages()}. */
    public Builder maxMessages(int value) {
      maxMessages = value;
      return this;
    }

    /** See {@link MaestroConfig#loops()}. */
    public Builder loops(int value) {
      loops = value;
      return this;
    }

    /** See {@link MaestroConfig#checksum()}. */
    public Builder checksum(boolean value) {
      checksum = value;
      return this;
    }

    /** The secret that both peers know; see {@link Security#secret()}. */
    public Builder secret(String value) {
      security = new Security(value, security.allowUnauthenticated(), security.tls());
      return this;
    }

    /** See {@link Security#allowUnauthenticated()}. */
    public Builder allowUnauthenticated(boolean value) {
      security = new Security(security.secret(), value, security.tls());
      return this;
    }

    /** With what paths are encrypted; see {@link Security#tls()}. */
    public Builder tls(@Nullable SSLContext value) {
      security = new Security(security.secret(), security.allowUnauthenticated(), value);
      return this;
    }

    /** See {@link MaestroConfig#timeouts()}. */
    public Builder timeouts(Timeouts value) {
      timeouts = value;
      return this;
    }

    /** See {@link MaestroConfig#breaker()}. */
    public Builder breaker(Breaker value) {
      breaker = value;
      return this;
    }

    /** See {@link MaestroConfig#routing()}. */
    public Builder routing(Routing value) {
      routing = value;
      return this;
    }

    /** See {@link MaestroConfig#control()}. */
    public Builder control(Control value) {
      control = value;
      return this;
    }

    /** Checks and returns the settings. */
    public MaestroConfig build() {
      return new MaestroConfig(
          provider,
          localAddresses,
          paths,
          chunkBytes,
          eagerBytes,
          balancer,
          memoryBudgetBytes,
          windowBytes,
          maxMessages,
          loops,
          checksum,
          security,
          timeouts,
          breaker,
          routing,
          control);
    }
  }
}
