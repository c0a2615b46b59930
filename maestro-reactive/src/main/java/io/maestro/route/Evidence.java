package io.maestro.route;

import io.maestro.api.RouteReport;
import io.maestro.api.RouteReport.Verdict;
import io.maestro.net.ProbedRoute;
import io.maestro.path.Candidate;
import io.maestro.path.Prediction;
import io.maestro.path.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the route of one 5-tuple. Where prediction and probe differ, the probe counts.
 *
 * @param tuple the addresses and ports
 * @param prediction what the topology says; null without a topology
 * @param probed what the network says; null when it was not asked
 * @param seen the probed route in the topology's words; null when it was not probed
 */
record Evidence(
    Tuple tuple,
    @Nullable Prediction prediction,
    @Nullable ProbedRoute probed,
    @Nullable Route seen) {

  /** Nothing but the ends is known. */
  static Evidence none(Tuple tuple) {
    return new Evidence(tuple, null, null, null);
  }

  private @Nullable Route predicted() {
    return prediction == null ? null : prediction.route();
  }

  private boolean isAnswered() {
    return probed != null && probed.hops().stream().anyMatch(hop -> hop.isKnown());
  }

  /** Whether a connection can have this 5-tuple, for all that is known: a probe had it. */
  boolean isUsable() {
    return probed == null || probed.sent();
  }

  /** Whether the probe contradicts the prediction. */
  boolean isContradicted() {
    return verdict() == Verdict.DISAGREED;
  }

  /** The route to reckon with; null when nothing is known. */
  @Nullable Route route() {
    Route computed = predicted();
    return switch (verdict()) {
      case PREDICTED -> computed;
      // What did not answer is as predicted, as long as all that did is.
      case AGREED -> probed != null && probed.isComplete() ? seen : computed;
      case PROBED, DISAGREED -> seen;
      case UNKNOWN -> null;
    };
  }

  Candidate candidate(Route unknown) {
    Route known = route();
    return new Candidate(
        tuple.local().getAddress(),
        tuple.local().getPort(),
        tuple.remote().getAddress(),
        tuple.remote().getPort(),
        known == null ? unknown : known);
  }

  Verdict verdict() {
    Route computed = predicted();
    if (!isAnswered() || seen == null) {
      return computed == null ? Verdict.UNKNOWN : Verdict.PREDICTED;
    }
    if (computed == null) {
      return Verdict.PROBED;
    }
    return Disagreement.between(computed, seen).isEmpty() ? Verdict.AGREED : Verdict.DISAGREED;
  }

  RouteReport report(List<String> sharedLinks) {
    Route computed = predicted();
    return new RouteReport(
        computed == null ? List.of() : computed.inner(),
        isAnswered() && seen != null ? seen.inner() : List.of(),
        sharedLinks,
        verdict(),
        reason());
  }

  private String reason() {
    Route computed = predicted();
    if (computed != null && seen != null && isAnswered()) {
      String difference = Disagreement.between(computed, seen);
      if (!difference.isEmpty()) {
        return difference;
      }
    }
    String unpredicted = prediction == null ? "" : prediction.reason();
    String unprobed = probed == null ? "" : probed.note();
    return unpredicted.isEmpty() || unprobed.isEmpty()
        ? unpredicted + unprobed
        : unpredicted + "; " + unprobed;
  }
}
