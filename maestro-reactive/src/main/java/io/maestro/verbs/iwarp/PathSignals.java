package io.maestro.verbs.iwarp;

import io.maestro.verbs.Signals;
import io.maestro.verbs.ffi.SocketDescriptors;
import io.maestro.verbs.ffi.TcpInfo;
import java.net.InetSocketAddress;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the kernel says about one connection.
 *
 * <p>The first reading starts a search for the socket on a thread of its own; until that has ended,
 * and where it finds nothing, everything is absent.
 */
final class PathSignals {
  private static final Logger LOG = LoggerFactory.getLogger(PathSignals.class);

  /** Below this the kernel waits for a larger window, by RFC 9293 section 3.8.6.2.1. */
  private static final long LEAST_WINDOW_BYTES = 1 << 16;

  private static final AtomicBoolean ABSENCE_SAID = new AtomicBoolean();

  private final WideCounter delivered = new WideCounter();
  private final WideCounter marked = new WideCounter();
  private final WideCounter retransmitted = new WideCounter();
  private boolean begun;
  private volatile @Nullable TcpInfo info;

  /** Reads the current values; on the loop. */
  Signals read(InetSocketAddress local, InetSocketAddress remote) {
    if (!begun) {
      begun = true;
      Thread.ofVirtual().name("maestro-socket-search").start(() -> search(local, remote));
    }
    TcpInfo known = info;
    return known != null && known.refresh() ? signals(known) : Signals.NONE;
  }

  private void search(InetSocketAddress local, InetSocketAddress remote) {
    try {
      OptionalInt fd = SocketDescriptors.find(local, remote);
      info = fd.isPresent() ? TcpInfo.of(fd.getAsInt()).orElse(null) : null;
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("looking for the socket from {} to {}", local, remote, e);
    }
    if (info == null && ABSENCE_SAID.compareAndSet(false, true)) {
      LOG.info(
          "no signals from the kernel for the connection from {} to {}: they need Linux, /proc and"
              + " native access; congestion marks, retransmits and rates are absent",
          local,
          remote);
    }
  }

  private Signals signals(TcpInfo now) {
    long rttUs = now.rttUs();
    long rate = now.deliveryRate();
    return new Signals(
        delivered.widen(now.delivered()),
        now.hasEcn() ? marked.widen(now.deliveredCe()) : Signals.ABSENT,
        retransmitted.widen(now.retransmits()),
        rttUs > 0 ? rttUs * 1000 : Signals.ABSENT,
        rate > 0 ? rate : Signals.ABSENT,
        unacked(now),
        now.lastAckMs() < 0 ? Signals.ABSENT : now.lastAckMs() * 1_000_000);
  }

  /** Where nothing is under way although it could be, this host has no way to the peer. */
  private static long unacked(TcpInfo now) {
    boolean heldBack =
        now.unacked() == 0 && now.notSentBytes() > 0 && now.sendWindowBytes() > LEAST_WINDOW_BYTES;
    return heldBack ? 1 : now.unacked();
  }

  /** A counter of 64 bits fed with one of 32, which wraps. */
  private static final class WideCounter {
    private long value;

    long widen(long low) {
      if (low < 0) {
        return Signals.ABSENT;
      }
      value += (low - value) & 0xFFFFFFFFL;
      return value;
    }
  }
}
