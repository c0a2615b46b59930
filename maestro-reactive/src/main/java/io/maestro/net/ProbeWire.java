package io.maestro.net;

import java.net.InetAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sends probes and hears what comes back. One thread; waits in {@link #await} only. */
interface ProbeWire extends AutoCloseable {

  /**
   * A packet of the target's 5-tuple that ends at a hop.
   *
   * @param hop 1 is the first router
   */
  record Probe(ProbeTarget target, int hop) {}

  /** What became of a probe. */
  enum Outcome {
    /** A router said that the packet's hop limit ended there. */
    EXPIRED,
    /** The peer itself answered. */
    REACHED,
    /** A router refused to pass the packet on, or this host did. */
    REFUSED
  }

  /**
   * What came back for a probe.
   *
   * @param from who said so, null when unknown
   */
  record Answer(Probe probe, Outcome outcome, @Nullable InetAddress from) {}

  /** Sends a probe; else says why it cannot be sent, which does not change by trying again. */
  @Nullable String send(Probe probe);

  /** Waits for answers, at most the given time; gives each at most once. */
  void await(long timeoutNs, Consumer<Answer> sink);

  /** Nobody waits for the answer any more. */
  void forget(Probe probe);

  /** Forgets all. */
  @Override
  void close();
}
