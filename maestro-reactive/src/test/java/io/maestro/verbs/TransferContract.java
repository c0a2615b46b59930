package io.maestro.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.RecordingHandler.Wc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where bytes go. */
abstract class TransferContract extends ContractGroup {
  private static final int REGION_BYTES = 1 << 20;

  TransferContract(ContractHost host) {
    super(host);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 1460, 50_000, 65_535, 65_536, 65_537, 300_001})
  void aWriteLandsExactlyAtItsPlace(int length) {
    Random random = new Random(length);
    MemoryRegion here = filled(fabric.clientRegion(REGION_BYTES), random);
    MemoryRegion there = filled(fabric.serverRegion(REGION_BYTES), random);
    int from = random.nextInt(REGION_BYTES - length);
    int to = random.nextInt(REGION_BYTES - length);
    byte[] expected = bytes(there);
    System.arraycopy(bytes(here), from, expected, to, length);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(
        pair.client(),
        qp ->
            assertThat(
                    qp.postWrite(7, here, from, length, there.remoteAddress() + to, there.rkey()))
                .isTrue());
    fabric.await("the WRITE completes", () -> pair.client().count() == 1);
    fabric.roundTrip(pair.client(), pair.server());
    assertThat(pair.client().completions().getFirst())
        .isEqualTo(Wc.success(7, WcOpcode.WRITE, length));
    assertThat(bytes(there)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1461, 65_537, 300_001})
  void aReadBringsExactlyItsBytes(int length) {
    Random random = new Random(length);
    MemoryRegion here = filled(fabric.clientRegion(REGION_BYTES), random);
    MemoryRegion there = filled(fabric.serverRegion(REGION_BYTES), random);
    int from = random.nextInt(REGION_BYTES - length);
    int to = random.nextInt(REGION_BYTES - length);
    byte[] expected = bytes(here);
    System.arraycopy(bytes(there), from, expected, to, length);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(
        pair.client(),
        qp ->
            assertThat(qp.postRead(8, here, to, length, there.remoteAddress() + from, there.rkey()))
                .isTrue());
    fabric.await("the READ completes", () -> pair.client().count() == 1);
    assertThat(pair.client().completions()).containsExactly(Wc.success(8, WcOpcode.READ, length));
    assertThat(bytes(here)).isEqualTo(expected);
    assertThat(pair.server().count()).isZero();
  }

  @Test
  void theAcceptingSideWritesAndReadsToo() {
    MemoryRegion mine = filled(fabric.serverRegion(4096), new Random(1));
    MemoryRegion theirs = filled(fabric.clientRegion(4096), new Random(2));
    byte[] expectedHere = bytes(theirs);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(
        pair.server(),
        qp -> {
          qp.postRead(1, mine, 2048, 100, theirs.remoteAddress() + 10, theirs.rkey());
          qp.postWrite(2, mine, 0, 100, theirs.remoteAddress() + 1000, theirs.rkey());
        });
    fabric.await("both complete", () -> pair.server().count() == 2);
    fabric.roundTrip(pair.server(), pair.client());
    assertThat(slice(mine, 2048, 100)).isEqualTo(slice(expectedHere, 10, 100));
    assertThat(slice(theirs, 1000, 100)).isEqualTo(slice(mine, 0, 100));
  }

  @Test
  void sendsArriveInOrderWithTheirLengths() {
    Random random = new Random(11);
    MemoryRegion here = filled(fabric.clientRegion(REGION_BYTES), random);
    MemoryRegion there = fabric.serverRegion(REGION_BYTES);
    int[] lengths = random.ints(50, 0, 16_384).toArray();
    lengths[3] = 0;
    lengths[4] = 16_384;
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(
        pair.server(),
        qp -> {
          for (int i = 0; i < lengths.length; i++) {
            assertThat(qp.postRecv(1000 + i, there, i * 16_384L, 16_384)).isTrue();
          }
        });
    fabric.run(
        pair.client(),
        qp -> {
          for (int i = 0; i < lengths.length; i++) {
            assertThat(qp.postSend(i, here, i * 100L, lengths[i])).isTrue();
          }
        });
    fabric.await(
        "all arrive and complete",
        () -> pair.server().count() == lengths.length && pair.client().count() == lengths.length);
    List<Wc> received = new ArrayList<>();
    List<Wc> sent = new ArrayList<>();
    for (int i = 0; i < lengths.length; i++) {
      received.add(Wc.success(1000 + i, WcOpcode.RECV, lengths[i]));
      sent.add(Wc.success(i, WcOpcode.SEND, lengths[i]));
      assertThat(slice(there, i * 16_384, lengths[i])).isEqualTo(slice(here, i * 100, lengths[i]));
    }
    assertThat(pair.server().completions()).isEqualTo(received);
    assertThat(pair.client().completions()).isEqualTo(sent);
  }

  @Test
  void aWriteIsVisibleWhenALaterSendIsReceived() {
    int last = 399_999;
    MemoryRegion here = fabric.clientRegion(400_000);
    MemoryRegion there = fabric.serverRegion(400_000);
    List<Byte> seen = new CopyOnWriteArrayList<>();
    RecordingHandler passive =
        fabric
            .handler()
            .whenCreated(qp -> post(qp, there, 30))
            .whenCompleted((qp, wc) -> seen.add(there.memory().get(ValueLayout.JAVA_BYTE, last)));
    ContractFixture.Pair pair = fabric.connect(fabric.handler(), passive);
    for (int round = 1; round <= 30; round++) {
      int expected = round;
      here.memory().set(ValueLayout.JAVA_BYTE, last, (byte) round);
      fabric.run(
          pair.client(),
          qp -> {
            qp.postWrite(1, here, 0, 400_000, there.remoteAddress(), there.rkey());
            qp.postSend(2, here, 0, 0);
          });
      fabric.await("the SEND is received", () -> seen.size() == expected);
      fabric.await("the work is done", () -> pair.client().count() == 2 * expected);
      assertThat(seen).last().isEqualTo((byte) round);
    }
  }

  private static void post(QueuePair qp, MemoryRegion region, int receives) {
    for (int i = 0; i < receives; i++) {
      assertThat(qp.postRecv(i, region, 0, 0)).isTrue();
    }
  }

  @Test
  void theSignalsCountOrAreAbsent() {
    ContractFixture.Pair pair = fabric.connect();
    fabric.roundTrip(pair.client(), pair.server());
    fabric.roundTrip(pair.server(), pair.client());
    Signals signals = fabric.on(pair.client(), QueuePair::signals);
    assertThat(signals.deliveredPackets() == Signals.ABSENT || signals.deliveredPackets() > 0)
        .as("%s", signals)
        .isTrue();
    assertThat(signals.rttNs() == Signals.ABSENT || signals.rttNs() > 0).as("%s", signals).isTrue();
  }

  private static MemoryRegion filled(MemoryRegion region, Random random) {
    byte[] bytes = new byte[(int) region.memory().byteSize()];
    random.nextBytes(bytes);
    region.memory().copyFrom(MemorySegment.ofArray(bytes));
    return region;
  }

  private static byte[] bytes(MemoryRegion region) {
    return region.memory().toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] slice(MemoryRegion region, int offset, int length) {
    return region.memory().asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] slice(byte[] bytes, int offset, int length) {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }
}
