package io.maestro.verbs;

import static io.maestro.verbs.ContractFixture.NO_DATA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.verbs.VerbsException.Kind;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Listening and connecting where it fails. */
abstract class RefuseContract extends ContractGroup {
  private static final Duration SHORT = Duration.ofMillis(200);

  RefuseContract(ContractHost host) {
    super(host);
  }

  @Test
  void anAddressInUseIsNamed() {
    try (Listener first = fabric.accepting(fabric.serverQp(), fabric::handler)) {
      assertThatThrownBy(() -> fabric.server.listen(ListenOptions.at(first.local()), request -> {}))
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.kind()).isEqualTo(Kind.ADDRESS_IN_USE))
          .hasMessageContaining(String.valueOf(first.local().getPort()));
    }
  }

  @Test
  void aPortIsFreeAgainWhenItsListenerIsClosed() {
    Listener first = fabric.accepting(fabric.serverQp(), fabric::handler);
    first.close();
    first.close();
    try (Listener second = fabric.server.listen(ListenOptions.at(first.local()), request -> {})) {
      assertThat(second.local()).isEqualTo(first.local());
    }
  }

  @Test
  void listeningOnAForeignAddressFails() {
    InetSocketAddress foreign = new InetSocketAddress(fabric.unavailableAddress(), 0);
    assertThatThrownBy(() -> fabric.server.listen(ListenOptions.at(foreign), request -> {}))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.kind()).isEqualTo(Kind.ADDRESS_UNAVAILABLE))
        .hasMessageContaining(fabric.unavailableAddress().getHostAddress());
  }

  @Test
  void connectingFromAForeignAddressFails() {
    InetSocketAddress foreign = new InetSocketAddress(fabric.unavailableAddress(), 0);
    try (Listener listener = fabric.accepting(fabric.serverQp(), fabric::handler)) {
      RecordingHandler active = connect(foreign, listener.local(), ContractHost.DEADLINE);
      fabric.await("it ends", active::isClosed);
      assertThat(active.kind()).isEqualTo(Kind.ADDRESS_UNAVAILABLE);
      assertThat(active.cause()).hasMessageContaining(fabric.unavailableAddress().getHostAddress());
    }
  }

  @Test
  void connectingTwiceFromOnePortToOneListenerFails() {
    try (Listener listener = fabric.accepting(fabric.serverQp(), fabric::handler)) {
      RecordingHandler first = connect(fabric.any(0), listener.local(), ContractHost.DEADLINE);
      fabric.await("the first is established", first::isEstablished);
      RecordingHandler second =
          connect(first.qp().local(), listener.local(), ContractHost.DEADLINE);
      fabric.await("the second ends", second::isClosed);
      assertThat(second.kind()).isEqualTo(Kind.ADDRESS_IN_USE);
      assertThat(first.isClosed()).isFalse();
    }
  }

  @Test
  void connectingToAPortWithoutListenerIsRefused() {
    Listener listener = fabric.accepting(fabric.serverQp(), fabric::handler);
    listener.close();
    RecordingHandler active = connect(fabric.any(0), listener.local(), ContractHost.DEADLINE);
    fabric.await("it ends", active::isClosed);
    assertThat(active.kind()).isEqualTo(Kind.REFUSED);
    assertThat(active.cause())
        .hasMessageContaining(String.valueOf(listener.local().getPort()))
        .hasMessageContaining(fabric.address(0).getHostAddress());
    assertThat(active.isEstablished()).isFalse();
  }

  @Test
  void aRejectionCarriesItsData() {
    ByteBuffer reason = ByteBuffer.wrap("no room".getBytes(StandardCharsets.UTF_8));
    try (Listener listener =
        fabric.server.listen(
            ListenOptions.at(fabric.any(1)), request -> request.reject(reason.duplicate()))) {
      RecordingHandler active = connect(fabric.any(0), listener.local(), ContractHost.DEADLINE);
      fabric.await("it ends", active::isClosed);
      assertThat(active.kind()).isEqualTo(Kind.REJECTED);
      assertThat(active.cause().privateData()).isEqualTo(reason);
    }
  }

  @Test
  void anExceptionOfTheRequestHandlerRejects() {
    try (Listener listener =
        fabric.server.listen(
            ListenOptions.at(fabric.any(1)),
            request -> {
              throw new IllegalStateException("on purpose");
            })) {
      RecordingHandler active = connect(fabric.any(0), listener.local(), ContractHost.DEADLINE);
      fabric.await("it ends", active::isClosed);
      assertThat(active.kind()).isEqualTo(Kind.REJECTED);
      RecordingHandler again = connect(fabric.any(0), listener.local(), ContractHost.DEADLINE);
      fabric.await("the listener goes on", again::isClosed);
      assertThat(again.kind()).isEqualTo(Kind.REJECTED);
    }
  }

  @Test
  void aSilentListenerEndsTheConnectAtItsDeadline() {
    List<ConnectionRequest> unanswered = new CopyOnWriteArrayList<>();
    try (Listener listener =
        fabric.server.listen(ListenOptions.at(fabric.any(1)), unanswered::add)) {
      RecordingHandler active = connect(fabric.any(0), listener.local(), SHORT);
      fabric.await("it ends", active::isClosed);
      assertThat(active.kind()).isEqualTo(Kind.TIMED_OUT);
      assertThat(active.isEstablished()).isFalse();
    }
  }

  @Test
  void acceptingAfterThePeersDeadlineEndsTheAcceptedQueuePair() {
    List<ConnectionRequest> unanswered = new CopyOnWriteArrayList<>();
    try (Listener listener =
        fabric.server.listen(ListenOptions.at(fabric.any(1)), unanswered::add)) {
      RecordingHandler active = connect(fabric.any(0), listener.local(), SHORT);
      fabric.await("it ends", () -> active.isClosed() && !unanswered.isEmpty());
      RecordingHandler passive = fabric.handler();
      unanswered.getFirst().accept(fabric.serverQp(), NO_DATA, passive);
      fabric.await("the accepted queue pair ends", passive::isClosed);
      assertThat(active.isEstablished()).isFalse();
    }
  }

  private RecordingHandler connect(
      InetSocketAddress local, InetSocketAddress remote, Duration timeout) {
    RecordingHandler active = fabric.handler();
    fabric.client.connect(
        new ConnectOptions(local, remote, fabric.clientQp(), NO_DATA, timeout.toNanos()), active);
    return active;
  }
}
