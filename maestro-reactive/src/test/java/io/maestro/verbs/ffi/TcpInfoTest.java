package io.maestro.verbs.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class TcpInfoTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1"})
  void bothEndsOfAConnectionAreFoundAndCountTheirTraffic(String address) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral(address), 0);
    try (ServerSocketChannel server = ServerSocketChannel.open(family(any)).bind(any);
        SocketChannel client = connect(server);
        SocketChannel accepted = server.accept()) {
      client.write(ByteBuffer.allocate(100_000));
      ByteBuffer received = ByteBuffer.allocate(100_000);
      while (received.hasRemaining()) {
        accepted.read(received);
      }
      TcpInfo sender = TcpInfo.of(find(client)).orElseThrow();
      assertThat(find(client)).isNotEqualTo(find(accepted));
      assertThat(sender.refresh()).isTrue();
      assertThat(sender.delivered()).isPositive();
      assertThat(sender.rttUs()).isBetween(1L, 10_000_000L);
      assertThat(sender.retransmits()).isBetween(0L, 1000L);
      assertThat(sender.deliveredCe()).isBetween(0L, sender.delivered());
    }
  }

  @Test
  void whatThePeersKernelHasIsNotUnackedThoughItsProcessDoesNotRead() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(any);
        SocketChannel client = connect(server);
        SocketChannel accepted = server.accept()) {
      client.configureBlocking(false);
      while (client.write(ByteBuffer.allocate(1 << 20)) > 0) {
        assertThat(accepted.isOpen()).isTrue(); // and does not read
      }
      TcpInfo sender = TcpInfo.of(find(client)).orElseThrow();
      for (int look = 0; look < 1_000_000; look++) {
        assertThat(sender.refresh()).isTrue();
        if (sender.unacked() == 0) {
          break;
        }
      }
      assertThat(sender.unacked()).isZero();
      assertThat(sender.notSentBytes()).isPositive();
      assertThat(sender.sendWindowBytes()).isBetween(TcpInfo.ABSENT, 1L << 16);
      assertThat(sender.lastAckMs()).isBetween(0L, 60_000L);
    }
  }

  private static ProtocolFamily family(InetSocketAddress address) {
    return address.getAddress() instanceof Inet6Address
        ? StandardProtocolFamily.INET6
        : StandardProtocolFamily.INET;
  }

  private static SocketChannel connect(ServerSocketChannel server) throws IOException {
    InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
    SocketChannel client = SocketChannel.open(family(address));
    client.connect(address);
    return client;
  }

  private static int find(SocketChannel channel) throws IOException {
    return SocketDescriptors.find(
            mapped(channel.getLocalAddress()), mapped(channel.getRemoteAddress()))
        .orElse(-1);
  }

  private static InetSocketAddress mapped(Object address) {
    return (InetSocketAddress) address;
  }

  @Test
  void anUnknownConnectionIsAbsent() {
    InetSocketAddress nowhere = new InetSocketAddress("192.0.2.1", 9);
    assertThat(SocketDescriptors.find(nowhere, nowhere)).isEqualTo(OptionalInt.empty());
  }

  @Test
  void aDescriptorThatIsNoSocketAnswersNothing() {
    TcpInfo none = TcpInfo.of(-1).orElseThrow();
    assertThat(none.refresh()).isFalse();
    assertThat(none.delivered()).isEqualTo(TcpInfo.ABSENT);
    assertThat(none.deliveryRate()).isEqualTo(TcpInfo.ABSENT);
    assertThat(none.hasEcn()).isFalse();
  }

  @Test
  void addressesAreWrittenAsTheKernelDoes() {
    InetSocketAddress v4 = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.2"), 8080);
    assertThat(SocketDescriptors.hex(v4)).isEqualTo("0200007F:1F90");
    InetSocketAddress v6 = new InetSocketAddress(InetAddress.ofLiteral("::1"), 80);
    assertThat(SocketDescriptors.hex(v6)).isEqualTo("00000000000000000000000001000000:0050");
  }
}
