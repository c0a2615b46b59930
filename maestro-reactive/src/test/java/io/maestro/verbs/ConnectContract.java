package io.maestro.verbs;

import static io.maestro.verbs.ContractFixture.NO_DATA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Listening and connecting where it succeeds. */
abstract class ConnectContract extends ContractGroup {

  ConnectContract(ContractHost host) {
    super(host);
  }

  @Test
  void listeningOnPort0BindsARealPort() {
    try (Listener one = fabric.accepting(fabric.serverQp(), fabric::handler);
        Listener two = fabric.accepting(fabric.serverQp(), fabric::handler)) {
      assertThat(one.local().getAddress()).isEqualTo(fabric.address(1));
      assertThat(one.local().getPort()).isPositive().isNotEqualTo(two.local().getPort());
    }
  }

  @Test
  void bothEndsKnowEachOthersAddresses() {
    ContractFixture.Pair pair = fabric.connect();
    QueuePair active = pair.client().qp();
    QueuePair passive = pair.server().qp();
    assertThat(active.local().getAddress()).isEqualTo(fabric.address(0));
    assertThat(passive.local().getAddress()).isEqualTo(fabric.address(1));
    assertThat(active.local()).isEqualTo(passive.remote());
    assertThat(passive.local()).isEqualTo(active.remote());
  }

  @Test
  void theQueuePairLivesOnTheLoopThatWasAskedFor() {
    QpOptions second = new QpOptions(fabric.clientDomain, fabric.client.loops().getLast(), 8, 8, 1);
    ContractFixture.Pair pair =
        fabric.connect(
            second,
            fabric.serverQp(),
            new ContractFixture.Pair(fabric.handler(), fabric.handler()));
    assertThat(pair.client().qp().loop()).isSameAs(fabric.client.loops().getLast());
    fabric.roundTrip(pair.client(), pair.server());
  }

  @Test
  void aConnectionIsBoundToTheGivenLocalPort() {
    int port;
    try (Listener free = fabric.client.listen(ListenOptions.at(fabric.any(0)), request -> {})) {
      port = free.local().getPort();
    }
    RecordingHandler active = fabric.handler();
    RecordingHandler passive = fabric.handler();
    try (Listener listener = fabric.accepting(fabric.serverQp(), () -> passive)) {
      InetSocketAddress local = new InetSocketAddress(fabric.address(0), port);
      fabric.client.connect(
          new ConnectOptions(
              local, listener.local(), fabric.clientQp(), NO_DATA, ContractHost.DEADLINE.toNanos()),
          active);
      fabric.await("both are established", () -> active.isEstablished() && passive.isEstablished());
      assertThat(active.qp().local()).isEqualTo(local);
      assertThat(passive.qp().remote()).isEqualTo(local);
    }
  }

  @Test
  void privateDataUpToTheLimitGoesBothWays() {
    byte[] request = random(fabric.client.limits().maxPrivateDataBytes());
    byte[] answer = random(fabric.server.limits().maxPrivateDataBytes());
    List<byte[]> seen = new CopyOnWriteArrayList<>();
    RecordingHandler active = fabric.handler();
    RecordingHandler passive = fabric.handler();
    try (Listener listener =
        fabric.server.listen(
            ListenOptions.at(fabric.any(1)),
            incoming -> {
              seen.add(bytes(incoming.privateData()));
              ByteBuffer data = ByteBuffer.wrap(answer.clone());
              incoming.accept(fabric.serverQp(), data, passive);
              data.put(0, (byte) (answer[0] + 1));
            })) {
      fabric.client.connect(with(listener.local(), request), active);
      fabric.await("both are established", () -> active.isEstablished() && passive.isEstablished());
    }
    assertThat(seen).containsExactly(request);
    assertThat(active.peerData()).isEqualTo(answer);
    assertThat(passive.peerData()).isEmpty();
  }

  @Test
  void noPrivateDataArrivesAsNone() {
    List<Integer> lengths = new CopyOnWriteArrayList<>();
    RecordingHandler active = fabric.handler();
    try (Listener listener =
        fabric.server.listen(
            ListenOptions.at(fabric.any(1)),
            incoming -> {
              lengths.add(incoming.privateData().remaining());
              incoming.accept(fabric.serverQp(), NO_DATA, fabric.handler());
            })) {
      fabric.client.connect(fabric.to(listener.local()), active);
      fabric.await("it is established", active::isEstablished);
    }
    assertThat(lengths).containsExactly(0);
    assertThat(active.peerData()).isEmpty();
  }

  @Test
  void privateDataBeyondTheLimitIsRefusedClearly() {
    int tooMany = fabric.client.limits().maxPrivateDataBytes() + 1;
    assertThatThrownBy(
            () -> fabric.client.connect(with(fabric.any(1), new byte[tooMany]), fabric.handler()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(tooMany))
        .hasMessageContaining(String.valueOf(tooMany - 1));
  }

  @Test
  void anAnswerBeyondTheLimitIsRefusedAndTheRequestStaysOpen() {
    ByteBuffer tooMany = ByteBuffer.allocate(fabric.server.limits().maxPrivateDataBytes() + 1);
    List<RuntimeException> thrown = new CopyOnWriteArrayList<>();
    RecordingHandler active = fabric.handler();
    try (Listener listener =
        fabric.server.listen(
            ListenOptions.at(fabric.any(1)),
            incoming -> {
              try {
                incoming.accept(fabric.serverQp(), tooMany, fabric.handler());
              } catch (IllegalArgumentException e) {
                thrown.add(e);
              }
              incoming.accept(fabric.serverQp(), NO_DATA, fabric.handler());
            })) {
      fabric.client.connect(fabric.to(listener.local()), active);
      fabric.await("it is established", active::isEstablished);
    }
    assertThat(thrown).hasSize(1);
  }

  @Test
  void depthsBeyondTheLimitAreRefused() {
    int tooDeep = fabric.client.limits().maxSendDepth() + 1;
    QpOptions deep =
        new QpOptions(fabric.clientDomain, fabric.client.loops().getFirst(), tooDeep, 1, 1);
    ConnectOptions options =
        new ConnectOptions(fabric.any(0), fabric.any(1), deep, NO_DATA, 1_000_000);
    assertThatThrownBy(() -> fabric.client.connect(options, fabric.handler()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void manyQueuePairsConnectFromOneAlias() {
    List<ContractFixture.Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      pairs.add(fabric.connect());
    }
    pairs.forEach(pair -> fabric.roundTrip(pair.client(), pair.server()));
    assertThat(pairs.stream().map(pair -> pair.client().qp().local()).distinct()).hasSize(32);
  }

  @Test
  void aRequestIsAcceptedLaterFromAnotherThread() {
    List<ConnectionRequest> requests = new CopyOnWriteArrayList<>();
    RecordingHandler active = fabric.handler();
    RecordingHandler passive = fabric.handler();
    try (Listener listener = fabric.server.listen(ListenOptions.at(fabric.any(1)), requests::add)) {
      fabric.client.connect(fabric.to(listener.local()), active);
      fabric.await("the request arrives", () -> !requests.isEmpty());
      requests.getFirst().accept(fabric.serverQp(), NO_DATA, passive);
      requests.getFirst().reject(NO_DATA);
      fabric.await("both are established", () -> active.isEstablished() && passive.isEstablished());
      fabric.roundTrip(active, passive);
    }
  }

  @Test
  void anAcceptedQueuePairOutlivesItsListener() {
    ContractFixture.Pair pair = fabric.connect();
    fabric.roundTrip(pair.client(), pair.server());
    fabric.roundTrip(pair.server(), pair.client());
  }

  private ConnectOptions with(InetSocketAddress remote, byte[] privateData) {
    return new ConnectOptions(
        fabric.any(0),
        remote,
        fabric.clientQp(),
        ByteBuffer.wrap(privateData),
        ContractHost.DEADLINE.toNanos());
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }
}
