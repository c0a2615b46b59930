package io.maestro.verbs;

/** A monotonic clock; virtual in simulation, so that everything timed can be replayed. */
@FunctionalInterface
public interface NanoClock {

  /** Nanoseconds since an arbitrary origin; only differences mean something. */
  long nanoTime();
}
