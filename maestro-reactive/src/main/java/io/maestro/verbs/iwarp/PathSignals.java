package io.maestro.verbs.iwarp;

import io.maestro.verbs.Signals;
import java.net.InetSocketAddress;

/** What the kernel says about one connection: nothing, as yet. */
final class PathSignals {
  Signals read(InetSocketAddress local, InetSocketAddress remote) {
    return Signals.NONE;
  }
}
