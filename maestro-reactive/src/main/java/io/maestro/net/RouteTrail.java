package io.maestro.net;

import io.maestro.net.ProbeWire.Answer;
import java.util.ArrayList;
import java.util.List;

/** The route of one 5-tuple as far as it has been learnt. Not thread-safe. */
final class RouteTrail {
  private final ProbeTarget target;
  private final List<Hop> hops = new ArrayList<>();
  private boolean begun;
  private boolean over;
  private boolean reached;
  private boolean unsendable;
  private int silent;
  private String note = "";

  RouteTrail(ProbeTarget target) {
    this.target = target;
  }

  ProbeTarget target() {
    return target;
  }

  /** Whether it was ever asked about. */
  boolean begun() {
    return begun;
  }

  /** Whether the very first probe could not be sent, so that it says nothing about the network. */
  boolean unsendable() {
    return unsendable;
  }

  /** Routers seen, known or not; silent ones at the end count only if the peer was reached. */
  int hops() {
    return hops.size() - (reached ? 0 : silent);
  }

  boolean goesOn(int maxSilent) {
    if (!over && silent >= maxSilent) {
      stop("nothing answered beyond hop " + hops());
    }
    return !over;
  }

  void answered(Answer answer, long rttNs) {
    begun = true;
    switch (answer.outcome()) {
      case EXPIRED -> {
        hops.add(answer.from() == null ? Hop.UNKNOWN : new Hop(answer.from(), rttNs));
        silent = answer.from() == null ? silent + 1 : 0;
      }
      case REACHED -> endBeforePeer();
      case REFUSED ->
          stop("a probe was refused " + (answer.from() == null ? "here" : "by " + answer.from()));
    }
  }

  void silent() {
    begun = true;
    hops.add(Hop.UNKNOWN);
    silent++;
  }

  /** The peer is behind the last hop. */
  void endBeforePeer() {
    over = true;
    reached = true;
  }

  /** Nothing more is to be learnt than from one with the same addresses, which ended here. */
  void endAs(RouteTrail pioneer) {
    if (!over) {
      over = true;
      reached = pioneer.reached;
      note = pioneer.note;
    }
  }

  void stop(String reason) {
    unsendable = !begun;
    begun = true;
    over = true;
    note = reason;
  }

  ProbedRoute route() {
    List<Hop> known = hops.subList(0, hops());
    boolean gaps = known.stream().anyMatch(hop -> !hop.isKnown());
    String why = note.isEmpty() && gaps ? "a hop did not answer" : note;
    return new ProbedRoute(target, known, reached, begun && !unsendable, why);
  }
}
