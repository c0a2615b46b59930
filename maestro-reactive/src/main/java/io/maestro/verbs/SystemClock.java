package io.maestro.verbs;

/** The machine's monotonic clock, the only place of the library that reads it. */
public enum SystemClock implements NanoClock {
  /** The clock. */
  INSTANCE;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
