package io.maestro.trainer.role;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports that nobody listens at, for processes that must know one another's before they start. */
final class FreePorts {

  private FreePorts() {}

  /** So many of loopback, as {@code host:port}. Another program may still take one in between. */
  static List<String> onLoopback(int count) {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1")));
      }
      return sockets.stream().map(socket -> "127.0.0.1:" + socket.getLocalPort()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("no port is free on loopback", e);
    } finally {
      sockets.forEach(FreePorts::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
