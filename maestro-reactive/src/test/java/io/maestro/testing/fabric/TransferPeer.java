package io.maestro.testing.fabric;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.Routing;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * One end of a transfer, run in a host of a fabric: {@code receive PORT SEED ADDRESS…} or {@code
 * send PORT SEED BYTES PATHS LOCAL,… REMOTE,…}. Both make the bytes from the seed.
 */
final class TransferPeer {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String SECRET = "known to both";

  private TransferPeer() {}

  /** Runs one end. */
  public static void main(String[] arguments) {
    int port = Integer.parseInt(arguments[1]);
    long seed = Long.parseLong(arguments[2]);
    if (arguments[0].equals("receive")) {
      receive(seed, addresses(arguments[3], port));
    } else {
      send(
          content(Long.parseLong(arguments[3]), seed),
          MaestroConfig.with(
              b ->
                  b.secret(SECRET)
                      .routing(Routing.OFF)
                      .paths(Integer.parseInt(arguments[4]))
                      .localAddresses(
                          Stream.of(arguments[5].split(",")).map(InetAddress::ofLiteral).toList())),
          addresses(arguments[6], port));
    }
  }

  private static InetSocketAddress[] addresses(String list, int port) {
    return Stream.of(list.split(","))
        .map(address -> new InetSocketAddress(InetAddress.ofLiteral(address), port))
        .toArray(InetSocketAddress[]::new);
  }

  private static void receive(long seed, InetSocketAddress[] here) {
    try (Maestro maestro = Maestro.create(MaestroConfig.with(b -> b.secret(SECRET)))) {
      Binding binding = maestro.bind(here).block(LIMIT);
      System.out.println("listening");
      binding
          .connections()
          .take(1)
          .flatMap(connection -> connection.receive().doOnNext(message -> compare(message, seed)))
          .onErrorComplete()
          .blockLast(LIMIT);
    }
  }

  private static void compare(Message message, long seed) {
    try (message;
        Region expected = content(message.size(), seed)) {
      long differs = expected.segment().mismatch(message.data());
      System.out.println(
          differs < 0 ? "equal " + message.size() : "differs at " + differs + ", seed " + seed);
    }
  }

  private static void send(Region content, MaestroConfig config, InetSocketAddress[] remotes) {
    try (Maestro maestro = Maestro.create(config);
        content) {
      Connection connection = maestro.connect(remotes).block(LIMIT);
      connection.send(content).block(LIMIT);
      connection
          .paths()
          .forEach(
              path ->
                  System.out.printf(
                      "path %s %s %d%n",
                      path.local().getHostString(),
                      path.remote().getHostString(),
                      path.ackedBytes()));
      connection.close().block(LIMIT);
    }
  }

  private static Region content(long bytes, long seed) {
    Region region = Region.allocate(bytes);
    MemorySegment segment = region.segment();
    SplittableRandom random = new SplittableRandom(seed);
    long at = 0;
    for (; at + Long.BYTES <= bytes; at += Long.BYTES) {
      segment.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
    for (; at < bytes; at++) {
      segment.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
    }
    return region;
  }
}
