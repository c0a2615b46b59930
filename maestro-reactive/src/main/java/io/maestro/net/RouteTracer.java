package io.maestro.net;

import io.maestro.net.ProbeRound.Result;
import io.maestro.net.ProbeWire.Probe;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Learns the routes of 5-tuples hop by hop. The first between two addresses goes on until the peer
 * answers, which tells the distance; the others then stop short of the peer, so that it is not
 * bothered. One thread.
 */
final class RouteTracer {
  /** So many hops without an answer, one after the other, and the rest is not asked for. */
  private static final int MAX_SILENT_HOPS = 3;

  private final ProbeRound round;
  private final int maxHops;
  private final Map<Ends, RouteTrail> pioneers = new HashMap<>();

  private record Ends(InetAddress from, InetAddress to, ProbeTarget.Protocol protocol) {
    static Ends of(ProbeTarget target) {
      return new Ends(target.local().getAddress(), target.remote().getAddress(), target.protocol());
    }
  }

  RouteTracer(ProbeRound round, int maxHops) {
    this.round = round;
    this.maxHops = maxHops;
  }

  /** The routes of all targets, in their order. */
  List<ProbedRoute> trace(List<ProbeTarget> targets) {
    Map<ProbeTarget, RouteTrail> trails = new LinkedHashMap<>();
    targets.forEach(target -> trails.put(target, new RouteTrail(target)));
    for (int first = 0; first < targets.size(); first++) {
      List<RouteTrail> next = nextPioneers(trails);
      if (next.isEmpty()) {
        break;
      }
      walk(next);
      next.forEach(this::learnDistance);
    }
    List<RouteTrail> others = trails.values().stream().filter(trail -> !trail.begun()).toList();
    walk(others);
    return trails.values().stream().map(RouteTrail::route).toList();
  }

  /** One target for each pair of addresses whose distance is not known and that can still tell. */
  private List<RouteTrail> nextPioneers(Map<ProbeTarget, RouteTrail> trails) {
    Map<Ends, RouteTrail> chosen = new LinkedHashMap<>();
    for (RouteTrail trail : trails.values()) {
      Ends ends = Ends.of(trail.target());
      if (!trail.begun() && !pioneers.containsKey(ends)) {
        chosen.putIfAbsent(ends, trail);
      }
    }
    return List.copyOf(chosen.values());
  }

  private void learnDistance(RouteTrail trail) {
    if (!trail.unsendable()) {
      pioneers.put(Ends.of(trail.target()), trail);
    }
  }

  private void walk(List<RouteTrail> trails) {
    for (int hop = 1; hop <= maxHops; hop++) {
      Map<Probe, RouteTrail> asked = new LinkedHashMap<>();
      for (RouteTrail trail : trails) {
        RouteTrail pioneer = pioneers.get(Ends.of(trail.target()));
        if (pioneer != null && hop > pioneer.hops()) {
          trail.endAs(pioneer);
        }
        if (trail.goesOn(MAX_SILENT_HOPS)) {
          asked.put(new Probe(trail.target(), hop), trail);
        }
      }
      if (asked.isEmpty()) {
        return;
      }
      Map<Probe, Result> results = round.ask(new ArrayList<>(asked.keySet()));
      asked.forEach((probe, trail) -> take(trail, results.get(probe)));
    }
  }

  private static void take(RouteTrail trail, @Nullable Result result) {
    if (result == null) {
      trail.stop("there was no time to probe it");
      return;
    }
    switch (result) {
      case Result.Answered answered -> trail.answered(answered.answer(), answered.rttNs());
      case Result.Silent silent -> trail.silent();
      case Result.Unsendable unsendable -> trail.stop(unsendable.reason());
    }
  }
}
