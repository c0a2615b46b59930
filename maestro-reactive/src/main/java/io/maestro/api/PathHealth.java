package io.maestro.api;

import java.time.Duration;
import java.util.Optional;

/**
 * How a path fares.
 *
 * @param breaker the state of its circuit breaker
 * @param generation how often it has been connected anew
 * @param failovers how often it was lost after it had carried chunks, which others took over
 * @param redundant whether another path is up that could take over
 * @param lastCause why it was down last; empty when it never was
 * @param nextAttempt time until it is connected anew; empty when that is not planned, as on the
 *     accepting side, which waits for its peer
 */
public record PathHealth(
    Breaker breaker,
    int generation,
    long failovers,
    boolean redundant,
    Optional<String> lastCause,
    Optional<Duration> nextAttempt) {

  /** The states of a circuit breaker. */
  public enum Breaker {
    /** The path may carry chunks. */
    CLOSED,
    /** The path is left alone for a while. */
    OPEN,
    /** The path is being connected anew and carries nothing but probes. */
    HALF_OPEN,
    /** Whoever holds the breakers' registry keeps the path down. */
    FORCED_OPEN,
    /** Whoever holds the breakers' registry lets the path carry chunks whenever it is connected. */
    DISABLED
  }
}
