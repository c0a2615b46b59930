package io.maestro.ps;

/** How far the workers of a parameter server may be apart. */
public sealed interface Consistency {

  /** A barrier at each step. */
  Consistency SYNCHRONOUS = new Synchronous();

  /** How many steps a worker may be ahead of the slowest; 0 for a barrier at each step. */
  int staleness();

  /**
   * The update of a step is applied when all current members have pushed, in the order of their
   * ranks, so that results are the same bit by bit from run to run.
   */
  record Synchronous() implements Consistency {
    @Override
    public int staleness() {
      return 0;
    }
  }

  /**
   * Updates are applied as they arrive; a worker that works on step {@code k} sees at least every
   * update up to step {@code k - 1 - staleness}, and so is never more than {@code staleness} steps
   * ahead of the slowest. Results depend on the order of arrival.
   *
   * @param staleness in steps, 0 or more
   */
  record BoundedStaleness(int staleness) implements Consistency {
    /** Checks the value. */
    public BoundedStaleness {
      if (staleness < 0) {
        throw new IllegalArgumentException("staleness must be 0 or more, was " + staleness);
      }
    }
  }
}
