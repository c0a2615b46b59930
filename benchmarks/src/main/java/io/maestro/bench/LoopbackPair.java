package io.maestro.bench;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.Message;
import io.maestro.api.Region;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;

/** Two instances in this process; what one sends the other receives and lets go. */
record LoopbackPair(Maestro server, Maestro client, Connection connection)
    implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  static LoopbackPair open(MaestroConfig config) {
    return of(Maestro.create(config), Maestro.create(config));
  }

  /** Connects one to the other; owns both. */
  static LoopbackPair of(Maestro server, Maestro client) {
    InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    Binding binding = Objects.requireNonNull(server.bind(address).block(LIMIT));
    binding.connections().subscribe(c -> c.receive().subscribe(Message::close));
    InetSocketAddress[] addresses = binding.addresses().toArray(InetSocketAddress[]::new);
    return new LoopbackPair(
        server, client, Objects.requireNonNull(client.connect(addresses).block(LIMIT)));
  }

  /** Sends a message and waits until the peer has it. */
  void send(Region message) {
    connection.send(message).block(LIMIT);
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
