package io.maestro.net;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * One hop of a probed route.
 *
 * @param address who answered; null when nobody did
 * @param rttNs time to its answer in nanoseconds, 0 when nobody answered
 */
public record Hop(@Nullable InetAddress address, long rttNs) {
  static final Hop UNKNOWN = new Hop(null, 0);

  /** Whether somebody answered. */
  public boolean isKnown() {
    return address != null;
  }
}
