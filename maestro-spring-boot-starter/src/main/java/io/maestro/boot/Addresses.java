package io.maestro.boot;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Addresses as people write them: {@code host:port}, {@code 10.0.0.1:7471}, {@code [::1]:7471}. */
final class Addresses {
  private static final Pattern FORMAT =
      Pattern.compile("(?:\\[(?<six>[^\\]]+)\\]|(?<host>[^:\\[\\]]+)):(?<port>\\d{1,5})");
  private static final int MOST = 65535;

  private Addresses() {}

  /**
   * Checks without looking names up.
   *
   * @param property full name of the property that has them
   */
  static void check(String property, List<String> texts) {
    for (String text : texts) {
      Matcher matcher = FORMAT.matcher(text);
      if (!matcher.matches() || Integer.parseInt(matcher.group("port")) > MOST) {
        throw MaestroStartException.of(
            property,
            "The property %s has '%s', which is not an address and a port."
                .formatted(property, text),
            "Write host:port, such as 10.0.0.1:7471, db.example:7471 or [fd00::1]:7471.",
            null);
      }
    }
  }

  /** Looks names up, where it may block, and leaves those that nobody knows unresolved. */
  static Mono<InetSocketAddress[]> resolve(List<String> texts) {
    return Mono.fromCallable(
            () -> texts.stream().map(Addresses::resolve).toArray(InetSocketAddress[]::new))
        .subscribeOn(Schedulers.boundedElastic());
  }

  private static InetSocketAddress resolve(String text) {
    Matcher matcher = FORMAT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'%s' is not host:port".formatted(text));
    }
    String six = matcher.group("six");
    return new InetSocketAddress(
        six == null ? matcher.group("host") : six, Integer.parseInt(matcher.group("port")));
  }
}
