package io.maestro.session;

import java.time.Duration;

/** A deed and when it is done, counted from the start of the traffic. */
record Step(Duration at, Deed deed) {
  @Override
  public String toString() {
    return "%10.3f ms  %s".formatted(at.toNanos() / 1e6, deed);
  }
}
