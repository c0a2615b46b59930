package io.maestro.boot;

import io.maestro.api.MaestroConfig;
import io.maestro.api.Routing;
import java.util.Map;

/** Makes the library's settings of those of the application. */
final class ConfigMapping {
  /** What is called otherwise by the library than here. */
  private static final Map<String, String> NAMES =
      Map.of(
          "chunkBytes", "chunk-size",
          "eagerBytes", "eager-limit",
          "memoryBudgetBytes", "memory-budget",
          "windowBytes", "window",
          "maxMessages", "max-messages",
          "breaker.maxBackoff", "breaker.max-backoff",
          "timeouts", "timeout");

  private ConfigMapping() {}

  /**
   * The library's settings.
   *
   * @throws MaestroStartException when one is out of its range
   */
  static MaestroConfig.Builder apply(MaestroProperties from, MaestroConfig.Builder to) {
    try {
      to.provider(from.provider())
          .localAddresses(from.localAddresses())
          .paths(from.paths())
          .chunkBytes(bytes(from.chunkSize().toBytes()))
          .eagerBytes(bytes(from.eagerLimit().toBytes()))
          .balancer(from.balancer())
          .windowBytes(from.window().toBytes())
          .maxMessages(from.maxMessages())
          .checksum(from.checksum())
          .secret(from.security().secret())
          .allowUnauthenticated(from.security().allowUnauthenticated());
      if (from.memoryBudget() != null) {
        to.memoryBudgetBytes(from.memoryBudget().toBytes());
      }
      if (from.loops() != null) {
        to.loops(from.loops());
      }
      parts(from, to).build();
      return to;
    } catch (IllegalArgumentException wrong) {
      throw named(wrong);
    }
  }

  private static MaestroConfig.Builder parts(MaestroProperties from, MaestroConfig.Builder to) {
    var timeout = from.timeout();
    var breaker = from.breaker();
    var routes = from.routing();
    return to.timeouts(
            new MaestroConfig.Timeouts(
                timeout.connect(),
                timeout.send(),
                timeout.keepAlive(),
                timeout.close(),
                timeout.reconnect()))
        .breaker(
            new MaestroConfig.Breaker(
                breaker.stall(),
                breaker.slow(),
                breaker.backoff(),
                breaker.maxBackoff(),
                breaker.probes()))
        .routing(new Routing(routes.mode(), routes.topology(), routes.timeout(), routes.review()))
        .control(new MaestroConfig.Control(from.control().floor(), from.control().silence()));
  }

  /** What does not fit is out of any range, and is refused by the library. */
  private static int bytes(long size) {
    return Math.clamp(size, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  private static MaestroStartException named(IllegalArgumentException wrong) {
    String message = String.valueOf(wrong.getMessage());
    int space = message.indexOf(' ');
    String word = space < 0 ? message : message.substring(0, space);
    String property = "maestro." + NAMES.getOrDefault(word, word);
    return MaestroStartException.of(
        property,
        "The property %s is out of its range: %s.".formatted(property, message),
        "Change %s to a value of the range, or remove it for the default.".formatted(property),
        wrong);
  }
}
