package io.maestro.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.verbs.RecordingHandler.Wc;
import io.maestro.verbs.VerbsException.Kind;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How queue pairs and devices end. */
abstract class CloseContract extends ContractGroup {
  private final IllegalStateException onPurpose = new IllegalStateException("on purpose");

  CloseContract(ContractHost host) {
    super(host);
  }

  @Test
  void closingFlushesEverythingThatIsPostedOnBothSides() {
    MemoryRegion here = fabric.clientRegion(1000);
    MemoryRegion there = fabric.serverRegion(1000);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(pair.server(), qp -> postReceives(qp, there, 100, 20));
    fabric.run(
        pair.client(),
        qp -> {
          postReceives(qp, here, 200, 20);
          for (int i = 0; i < 20; i++) {
            qp.postWrite(i, here, 0, 1000, there.remoteAddress(), there.rkey());
          }
          qp.close();
          qp.close();
        });
    awaitClosed(pair);
    assertThat(pair.client().kind()).isEqualTo(Kind.CLOSED);
    assertThat(pair.server().kind()).isEqualTo(Kind.PEER_CLOSED);
    assertFlushed(pair.client(), 0, 20);
    assertFlushed(pair.client(), 200, 20);
    assertFlushed(pair.server(), 100, 20);
    assertThat(pair.client().count()).isEqualTo(40);
    assertThat(pair.server().count()).isEqualTo(20);
  }

  private static void postReceives(QueuePair qp, MemoryRegion region, int firstId, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(qp.postRecv(firstId + i, region, 0, 10)).isTrue();
    }
  }

  private static void assertFlushed(RecordingHandler end, long firstId, int count) {
    List<Wc> ofRange =
        end.completions().stream()
            .filter(wc -> wc.wrId() >= firstId && wc.wrId() < firstId + count)
            .toList();
    assertThat(ofRange).extracting(Wc::status).containsOnly(WcStatus.FLUSHED);
    assertThat(ofRange)
        .extracting(Wc::wrId)
        .containsExactlyElementsOf(LongStream.range(firstId, firstId + count).boxed().toList());
  }

  @Test
  void theAcceptingSideClosesToo() {
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(pair.server(), QueuePair::close);
    awaitClosed(pair);
    assertThat(pair.server().kind()).isEqualTo(Kind.CLOSED);
    assertThat(pair.client().kind()).isEqualTo(Kind.PEER_CLOSED);
  }

  @Test
  void anAbortedConnectionFreesItsAddressForTheNextAtOnce() {
    MemoryRegion here = fabric.clientRegion(100_000);
    MemoryRegion there = fabric.serverRegion(100_000);
    try (Listener listener = fabric.accepting(fabric.serverQp(), fabric::handler)) {
      RecordingHandler first = fabric.handler();
      fabric.client.connect(fabric.to(listener.local()), first);
      fabric.await("the first is there", first::isEstablished);
      ConnectOptions same =
          new ConnectOptions(
              first.qp().local(),
              listener.local(),
              fabric.clientQp(),
              ContractFixture.NO_DATA,
              ContractHost.DEADLINE.toNanos());
      fabric.run(
          first,
          qp -> {
            qp.postWrite(1, here, 0, 100_000, there.remoteAddress(), there.rkey());
            qp.abort();
          });
      fabric.await("the first has ended", first::isClosed);
      assertThat(first.kind()).isEqualTo(Kind.CLOSED);
      RecordingHandler second = fabric.handler();
      fabric.client.connect(same, second);
      fabric.await("the second is there", second::isEstablished);
      assertThat(second.qp().local()).isEqualTo(same.local());
    }
  }

  @Test
  void whatWasSentBeforeTheCloseOfAnIdlePeerHasArrived() {
    MemoryRegion there = fabric.serverRegion(100);
    MemoryRegion here = fabric.clientRegion(100);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(pair.server(), qp -> postReceives(qp, there, 0, 1));
    fabric.run(pair.client(), qp -> assertThat(qp.postSend(5, here, 0, 10)).isTrue());
    fabric.await("the SEND is received", () -> pair.server().count() == 1);
    fabric.await("the SEND completes", () -> pair.client().count() == 1);
    fabric.run(pair.client(), QueuePair::close);
    awaitClosed(pair);
    assertThat(pair.server().completions()).containsExactly(Wc.success(0, WcOpcode.RECV, 10));
  }

  @Test
  void closingUnderTrafficCompletesEachWorkRequestOnce() {
    MemoryRegion here = fabric.clientRegion(65_536);
    MemoryRegion there = fabric.serverRegion(65_536);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(
        pair.client(),
        qp -> {
          for (int i = 0; i < 40; i++) {
            qp.postWrite(i, here, 0, 65_536, there.remoteAddress(), there.rkey());
          }
          for (int i = 40; i < 44; i++) {
            qp.postRead(i, here, 0, 65_536, there.remoteAddress(), there.rkey());
          }
        });
    fabric.run(pair.server(), QueuePair::close);
    awaitClosed(pair);
    assertThat(pair.server().kind()).isEqualTo(Kind.CLOSED);
    assertThat(pair.client().kind()).isIn(Kind.PEER_CLOSED, Kind.CONNECTION_LOST);
    assertThat(pair.client().completions())
        .extracting(Wc::wrId)
        .containsExactlyElementsOf(LongStream.range(0, 44).boxed().toList());
    assertThat(pair.client().completions())
        .extracting(Wc::status)
        .containsAnyOf(WcStatus.SUCCESS, WcStatus.FLUSHED)
        .doesNotContain(WcStatus.REMOTE_ACCESS_ERROR, WcStatus.LENGTH_ERROR);
  }

  @Test
  void noMemoryIsTouchedAfterOnClosed() {
    MemoryRegion here = fabric.clientRegion(1 << 20);
    MemoryRegion there = fabric.serverRegion(1 << 20);
    byte mine = 0x21;
    RecordingHandler passive = fabric.handler().whenClosed(() -> there.memory().fill(mine));
    ContractFixture.Pair pair = fabric.connect(fabric.handler(), passive);
    ContractFixture.Pair other = fabric.connect();
    fabric.run(
        pair.client(),
        qp -> {
          for (int i = 0; i < 50; i++) {
            qp.postWrite(i, here, 0, 1 << 20, there.remoteAddress(), there.rkey());
          }
        });
    fabric.roundTrip(other.client(), other.server());
    fabric.run(pair.server(), QueuePair::close);
    awaitClosed(pair);
    fabric.roundTrip(other.client(), other.server());
    fabric.roundTrip(other.server(), other.client());
    assertThat(there.memory().toArray(ValueLayout.JAVA_BYTE)).containsOnly(mine);
  }

  @Test
  void nothingIsTakenAfterClose() {
    MemoryRegion here = fabric.clientRegion(10);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(pair.client(), QueuePair::close);
    fabric.run(
        pair.client(),
        qp -> {
          assertThat(qp.postWrite(1, here, 0, 10, 0, 0)).isFalse();
          assertThat(qp.postRead(1, here, 0, 10, 0, 0)).isFalse();
          assertThat(qp.postSend(1, here, 0, 10)).isFalse();
          assertThat(qp.postRecv(1, here, 0, 10)).isFalse();
          qp.flush();
          qp.close();
          assertThat(qp.signals()).isNotNull();
        });
    awaitClosed(pair);
    assertThat(pair.client().count()).isZero();
  }

  @Test
  void anExceptionOfAHandlerEndsItsQueuePair() {
    MemoryRegion here = fabric.clientRegion(10);
    MemoryRegion there = fabric.serverRegion(10);
    RecordingHandler passive =
        fabric
            .handler()
            .whenCreated(qp -> postReceives(qp, there, 0, 2))
            .whenCompleted(
                (qp, wc) -> {
                  if (wc.status() == WcStatus.SUCCESS) {
                    throw onPurpose;
                  }
                });
    ContractFixture.Pair pair = fabric.connect(fabric.handler(), passive);
    ContractFixture.Pair other = fabric.connect();
    fabric.run(pair.client(), qp -> qp.postSend(1, here, 0, 1));
    awaitClosed(pair);
    assertThat(passive.kind()).isEqualTo(Kind.LOCAL);
    assertThat(passive.cause()).hasCause(onPurpose);
    assertThat(passive.completions()).hasSize(2);
    fabric.roundTrip(other.client(), other.server());
  }

  @Test
  void anExceptionWhenEstablishedEndsTheQueuePair() {
    RecordingHandler active =
        fabric
            .handler()
            .whenEstablished(
                qp -> {
                  throw onPurpose;
                });
    ContractFixture.Pair pair = fabric.connect(active, fabric.handler());
    awaitClosed(pair);
    assertThat(active.kind()).isEqualTo(Kind.LOCAL);
    assertThat(active.cause()).hasCause(onPurpose);
  }

  @Test
  void closingADeviceEndsEverythingOfIt() {
    MemoryRegion here = fabric.clientRegion(10);
    ContractFixture.Pair pair = fabric.connect();
    Listener listener = fabric.client.listen(ListenOptions.at(fabric.any(0)), request -> {});
    EventLoop loop = fabric.client.loops().getFirst();
    fabric.run(pair.client(), qp -> postReceives(qp, here, 0, 3));
    fabric.client.close();
    assertThat(pair.client().isClosed()).isTrue();
    assertThat(pair.client().kind()).isEqualTo(Kind.CLOSED);
    assertFlushed(pair.client(), 0, 3);
    fabric.await("the peer ends", pair.server()::isClosed);
    assertThat(pair.server().kind()).isEqualTo(Kind.PEER_CLOSED);
    fabric.client.close();
    assertThatThrownBy(() -> loop.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> fabric.client.connect(fabric.to(listener.local()), fabric.handler()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> fabric.client.listen(ListenOptions.at(fabric.any(0)), request -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertRefusedNow(listener);
  }

  private void assertRefusedNow(Listener listener) {
    RecordingHandler late = fabric.handler();
    fabric.server.connect(
        new ConnectOptions(
            fabric.any(1),
            listener.local(),
            fabric.serverQp(),
            ContractFixture.NO_DATA,
            ContractHost.DEADLINE.toNanos()),
        late);
    fabric.await("the late connect ends", late::isClosed);
    assertThat(late.kind()).isEqualTo(Kind.REFUSED);
  }

  @Test
  void aDeviceIsClosedOnItsOwnLoop() {
    ContractFixture.Pair pair = fabric.connect();
    pair.client().qp().loop().execute(fabric.client::close);
    awaitClosed(pair);
    assertThat(pair.client().kind()).isEqualTo(Kind.CLOSED);
  }

  private void awaitClosed(ContractFixture.Pair pair) {
    fabric.await(
        "both ends are closed", () -> pair.client().isClosed() && pair.server().isClosed());
  }
}
