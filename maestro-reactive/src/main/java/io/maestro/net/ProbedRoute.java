package io.maestro.net;

import java.util.List;

/**
 * What probing found out about one 5-tuple.
 *
 * @param target the 5-tuple
 * @param hops the routers between here and the peer, in order; those that did not answer are
 *     unknown
 * @param reached whether the peer itself answered behind the last hop, so that there are no more
 * @param sent whether the 5-tuple could be probed at all: false when it is in use, or where probing
 *     is not supported
 * @param note why something is missing, in one sentence; empty when nothing is
 */
public record ProbedRoute(
    ProbeTarget target, List<Hop> hops, boolean reached, boolean sent, String note) {
  /** Takes a copy. */
  public ProbedRoute {
    hops = List.copyOf(hops);
  }

  /** Nothing was learnt, for a reason. */
  static ProbedRoute unknown(ProbeTarget target, String reason) {
    return new ProbedRoute(target, List.of(), false, false, reason);
  }

  /** Whether every hop up to the peer is known. */
  public boolean isComplete() {
    return reached && hops.stream().allMatch(Hop::isKnown);
  }
}
