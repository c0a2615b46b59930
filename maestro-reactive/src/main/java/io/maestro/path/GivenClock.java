package io.maestro.path;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that says what it was told last, in nanoseconds since an arbitrary moment. */
final class GivenClock extends Clock {
  private volatile long nowNs;

  void set(long ns) {
    nowNs = ns;
  }

  long nowNs() {
    return nowNs;
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochSecond(0, nowNs);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
