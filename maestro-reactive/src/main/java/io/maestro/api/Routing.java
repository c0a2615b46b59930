package io.maestro.api;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the routes of outgoing paths are chosen, so that they share as few links as possible.
 *
 * @param mode what may be done for it
 * @param topology a file that describes the fabric, read once at the start; null for none
 * @param timeout most time that choosing may add to a connect, positive; also limited to half of
 *     the connect timeout
 * @param review how often the side that connected looks whether its paths still go separate ways,
 *     positive; it also looks soon after a path is lost or comes back
 */
public record Routing(Mode mode, @Nullable Path topology, Duration timeout, Duration review) {
  private static final Duration DEFAULT_REVIEW = Duration.ofSeconds(30);

  /** Probing, without a topology. */
  public static final Routing PROBE = new Routing(Mode.PROBE, null, Duration.ofSeconds(2));

  /** The system chooses source ports, and the network with them the routes. */
  public static final Routing OFF = new Routing(Mode.OFF, null, Duration.ofSeconds(2));

  /** With a review every 30 seconds. */
  public Routing(Mode mode, @Nullable Path topology, Duration timeout) {
    this(mode, topology, timeout, DEFAULT_REVIEW);
  }

  /** Checks the values. */
  public Routing {
    if (!review.isPositive() || review.toDays() > 365) {
      throw new IllegalArgumentException("routing review must be positive, was " + review);
    }
    if (!timeout.isPositive() || timeout.toDays() > 365) {
      throw new IllegalArgumentException("routing timeout must be positive, was " + timeout);
    }
    if (mode == Mode.PREDICT && topology == null) {
      throw new IllegalArgumentException("routing by prediction needs a topology");
    }
  }

  /** What may be done to choose routes. Connections to loopback addresses have none to choose. */
  public enum Mode {
    /** Nothing. */
    OFF,
    /** Routes are computed from the topology; nothing is sent. */
    PREDICT,
    /** Routes are probed; with a topology they are computed first and the probes verify them. */
    PROBE
  }
}
