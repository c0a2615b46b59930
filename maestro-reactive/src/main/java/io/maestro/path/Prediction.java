package io.maestro.path;

import org.jspecify.annotations.Nullable;

/**
 * What a topology says of a route.
 *
 * @param route the route, null when it cannot be predicted
 * @param reason why it cannot; empty when it can
 */
public record Prediction(@Nullable Route route, String reason) {
  static Prediction of(Route route) {
    return new Prediction(route, "");
  }

  static Prediction unknown(String reason) {
    return new Prediction(null, reason);
  }
}
