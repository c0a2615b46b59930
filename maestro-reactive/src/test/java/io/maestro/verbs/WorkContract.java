package io.maestro.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.verbs.RecordingHandler.Wc;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Posting, queues and completions. */
abstract class WorkContract extends ContractGroup {

  WorkContract(ContractHost host) {
    super(host);
  }

  @Test
  void workCompletesOnceInTheOrderOfPosting() {
    MemoryRegion here = fabric.clientRegion(200_000);
    MemoryRegion there = fabric.serverRegion(200_000);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(pair.server(), qp -> assertThat(qp.postRecv(50, there, 0, 10)).isTrue());
    fabric.run(
        pair.client(),
        qp -> {
          qp.postRead(Long.MIN_VALUE, here, 0, 150_000, there.remoteAddress(), there.rkey());
          qp.postWrite(-1, here, 0, 200_000, there.remoteAddress(), there.rkey());
          qp.postSend(0, here, 0, 10);
          qp.postRead(1, here, 0, 0, there.remoteAddress(), there.rkey());
          qp.postWrite(Long.MAX_VALUE, here, 0, 0, there.remoteAddress(), there.rkey());
        });
    fabric.await("all complete", () -> pair.client().count() == 5 && pair.server().count() == 1);
    fabric.roundTrip(pair.client(), pair.server());
    assertThat(pair.client().completions().subList(0, 5))
        .containsExactly(
            Wc.success(Long.MIN_VALUE, WcOpcode.READ, 150_000),
            Wc.success(-1, WcOpcode.WRITE, 200_000),
            Wc.success(0, WcOpcode.SEND, 10),
            Wc.success(1, WcOpcode.READ, 0),
            Wc.success(Long.MAX_VALUE, WcOpcode.WRITE, 0));
    assertThat(pair.client().count()).isEqualTo(6);
  }

  @Test
  void aFullSendQueueTakesNothingAndFreesUpAgain() {
    MemoryRegion here = fabric.clientRegion(1000);
    MemoryRegion there = fabric.serverRegion(1000);
    ContractFixture.Pair pair = fabric.connect();
    for (int round = 1; round <= 3; round++) {
      int before = pair.client().count();
      int taken =
          fabric.on(
              pair.client(),
              qp -> {
                int posted = 0;
                while (qp.postWrite(
                    before + posted, here, 0, 1000, there.remoteAddress(), there.rkey())) {
                  posted++;
                }
                assertThat(qp.postSend(-1, here, 0, 0)).isFalse();
                assertThat(qp.postRead(-1, here, 0, 0, there.remoteAddress(), there.rkey()))
                    .isFalse();
                return posted;
              });
      assertThat(taken).isEqualTo(ContractFixture.SEND_DEPTH);
      fabric.await("all complete", () -> pair.client().count() == before + taken);
    }
    assertThat(pair.client().completions().stream().map(Wc::wrId))
        .containsExactlyElementsOf(
            LongStream.range(0, 3 * ContractFixture.SEND_DEPTH).boxed().toList());
  }

  @Test
  void aFullReceiveQueueTakesNothing() {
    MemoryRegion there = fabric.serverRegion(10);
    ContractFixture.Pair pair = fabric.connect();
    int taken =
        fabric.on(
            pair.server(),
            qp -> {
              int posted = 0;
              while (qp.postRecv(posted, there, 0, 10)) {
                posted++;
              }
              return posted;
            });
    assertThat(taken).isEqualTo(ContractFixture.RECV_DEPTH);
  }

  @Test
  void moreReadsThanTheReadDepthAreNotTakenUntilSomeComplete() {
    MemoryRegion here = fabric.clientRegion(1000);
    MemoryRegion there = fabric.serverRegion(1000);
    ContractFixture.Pair pair = fabric.connect();
    for (int round = 1; round <= 3; round++) {
      int before = pair.client().count();
      int taken = fabric.on(pair.client(), qp -> postReads(qp, here, there));
      assertThat(taken).isEqualTo(ContractFixture.READ_DEPTH);
      fabric.await("all complete", () -> pair.client().count() == before + taken);
    }
  }

  private static int postReads(QueuePair qp, MemoryRegion here, MemoryRegion there) {
    int posted = 0;
    while (qp.postRead(posted, here, 0, 1000, there.remoteAddress(), there.rkey())) {
      posted++;
    }
    return posted;
  }

  @Test
  void aReceivePostedOnCreationMeetsTheFirstSend() {
    MemoryRegion here = fabric.clientRegion(10);
    MemoryRegion there = fabric.serverRegion(10);
    RecordingHandler active =
        fabric.handler().whenEstablished(qp -> assertThat(qp.postSend(1, here, 0, 10)).isTrue());
    RecordingHandler passive =
        fabric.handler().whenCreated(qp -> assertThat(qp.postRecv(2, there, 0, 10)).isTrue());
    fabric.connect(active, passive);
    fabric.await("it arrives without a flush", () -> passive.count() == 1 && active.count() == 1);
  }

  @Test
  void bothSidesMaySendAsSoonAsTheyAreEstablished() {
    MemoryRegion here = fabric.clientRegion(10);
    MemoryRegion there = fabric.serverRegion(10);
    RecordingHandler active =
        fabric
            .handler()
            .whenCreated(qp -> qp.postRecv(1, here, 0, 5))
            .whenEstablished(qp -> qp.postSend(2, here, 5, 5));
    RecordingHandler passive =
        fabric
            .handler()
            .whenCreated(qp -> qp.postRecv(3, there, 0, 5))
            .whenEstablished(qp -> qp.postSend(4, there, 5, 5));
    fabric.connect(active, passive);
    fabric.await("both arrive", () -> passive.count() == 2 && active.count() == 2);
  }

  @Test
  void nothingButReceivesIsTakenBeforeTheQueuePairIsEstablished() {
    MemoryRegion here = fabric.clientRegion(10);
    AtomicInteger taken = new AtomicInteger();
    RecordingHandler active =
        fabric
            .handler()
            .whenCreated(
                qp -> {
                  taken.addAndGet(qp.postSend(1, here, 0, 10) ? 1 : 0);
                  taken.addAndGet(qp.postWrite(1, here, 0, 1, 0, 0) ? 1 : 0);
                  taken.addAndGet(qp.postRead(1, here, 0, 1, 0, 0) ? 1 : 0);
                });
    ContractFixture.Pair pair = fabric.connect(active, fabric.handler());
    fabric.roundTrip(pair.client(), pair.server());
    assertThat(taken).hasValue(0);
    assertThat(active.count()).isEqualTo(1);
  }

  @Test
  void rangesOutsideTheLocalRegionAreRefused() {
    MemoryRegion here = fabric.clientRegion(100);
    ContractFixture.Pair pair = fabric.connect();
    for (long[] range : new long[][] {{0, 101}, {100, 1}, {-1, 1}, {Long.MAX_VALUE, 2}, {5, -1}}) {
      long offset = range[0];
      int length = (int) range[1];
      refused(pair, IndexOutOfBoundsException.class, qp -> qp.postSend(1, here, offset, length));
      refused(pair, IndexOutOfBoundsException.class, qp -> qp.postRecv(1, here, offset, length));
      refused(
          pair, IndexOutOfBoundsException.class, qp -> qp.postWrite(1, here, offset, length, 0, 0));
      refused(
          pair, IndexOutOfBoundsException.class, qp -> qp.postRead(1, here, offset, length, 0, 0));
    }
    fabric.roundTrip(pair.client(), pair.server());
  }

  @Test
  void closedRegionsAndRegionsOfAnotherDomainAreRefused() {
    MemoryRegion closed = fabric.clientRegion(100);
    closed.close();
    ContractFixture.Pair pair = fabric.connect();
    refused(pair, IllegalArgumentException.class, qp -> qp.postSend(1, closed, 0, 1));
    try (ProtectionDomain other = fabric.client.allocateDomain()) {
      MemoryRegion foreign =
          other.register(fabric.arena.allocate(100), EnumSet.allOf(Access.class));
      refused(pair, IllegalArgumentException.class, qp -> qp.postRecv(1, foreign, 0, 1));
      refused(pair, IllegalArgumentException.class, qp -> qp.postWrite(1, foreign, 0, 1, 0, 0));
    }
    fabric.roundTrip(pair.client(), pair.server());
  }

  @Test
  void messagesBeyondTheLimitAreRefused() {
    int limit = fabric.client.limits().maxMessageBytes();
    Assumptions.assumeTrue(
        limit < Integer.MAX_VALUE && host.registersSparseRegionsOver2GiB(), "no int is too long");
    MemoryRegion here =
        fabric.clientDomain.register(fabric.sparse(limit + 1L), EnumSet.allOf(Access.class));
    ContractFixture.Pair pair = fabric.connect();
    refused(pair, IllegalArgumentException.class, qp -> qp.postSend(1, here, 0, limit + 1));
    refused(pair, IllegalArgumentException.class, qp -> qp.postWrite(1, here, 0, limit + 1, 0, 0));
  }

  private interface Post {
    boolean on(QueuePair qp);
  }

  private void refused(
      ContractFixture.Pair pair, Class<? extends RuntimeException> type, Post post) {
    assertThatThrownBy(() -> fabric.on(pair.client(), post::on)).isInstanceOf(type);
    assertThat(pair.client().completions()).isEqualTo(List.of());
  }
}
