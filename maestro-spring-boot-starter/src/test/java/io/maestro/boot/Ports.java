package io.maestro.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A server and a client of it in one application, on a port that was free a moment ago. */
public record Ports(String server, String client, int port) {

  public static Ports pair(String server, String client) {
    return new Ports(server, client, free());
  }

  public static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException none) {
      throw new UncheckedIOException(none);
    }
  }

  public ApplicationContextRunner on(ApplicationContextRunner runner) {
    return runner.withPropertyValues(
        "maestro.connections.%s.listen=127.0.0.1:%d".formatted(server, port),
        "maestro.connections.%s.connect=127.0.0.1:%d".formatted(client, port));
  }
}
