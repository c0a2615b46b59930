package io.maestro.bench.fabric;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Message;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The program of a receiving host: {@code PORT ADDRESS…}. Prints {@code ready}, then for each
 * message its stamp and whether all of its bytes are right.
 */
final class Receiver {
  private Receiver() {}

  /** Runs until it is killed. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[0]);
    InetSocketAddress[] addresses =
        Stream.of(arguments)
            .skip(1)
            .map(address -> new InetSocketAddress(InetAddress.ofLiteral(address), port))
            .toArray(InetSocketAddress[]::new);
    try (Maestro maestro = Maestro.create(Sender.config(b -> b))) {
      Binding binding =
          Objects.requireNonNull(maestro.bind(addresses).block(Duration.ofSeconds(10)));
      System.out.println("ready");
      binding
          .connections()
          .flatMap(connection -> connection.receive().onErrorComplete())
          .doOnNext(Receiver::check)
          .blockLast();
    }
  }

  private static void check(Message message) {
    try (message) {
      long stamp = message.data().get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
      boolean right = Pattern.isFilled(message.data(), Long.BYTES);
      System.out.printf("message %d %s%n", stamp, right ? "right" : "wrong");
    }
  }
}
