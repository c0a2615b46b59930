package io.maestro.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.RecordingHandler.Wc;
import io.maestro.verbs.VerbsException.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer that breaks the rules ends its own connection, and harms nothing else. */
abstract class ViolationContract extends ContractGroup {
  private static final byte UNTOUCHED = 0x33;
  private static final int TARGET_BYTES = 1000;

  private ContractFixture.Pair guilty;
  private ContractFixture.Pair innocent;
  private MemorySegment guarded;
  private MemoryRegion here;
  private MemoryRegion target;

  ViolationContract(ContractHost host) {
    super(host);
  }

  @BeforeEach
  void connectTwo() {
    guilty = fabric.connect();
    innocent = fabric.connect();
    here = fabric.clientRegion(10_000);
    guarded = fabric.arena.allocate(3 * TARGET_BYTES).fill(UNTOUCHED);
    target = register(EnumSet.allOf(Access.class));
  }

  private MemoryRegion register(Set<Access> access) {
    return fabric.serverDomain.register(guarded.asSlice(TARGET_BYTES, TARGET_BYTES), access);
  }

  @Test
  void anUnknownKeyIsRefused() {
    writeIsRefused(target.remoteAddress(), target.rkey() ^ 0x5a5a5a5a, 10);
  }

  @Test
  void anUnknownKeyIsRefusedToReads() {
    readIsRefused(target.remoteAddress(), target.rkey() ^ 0x5a5a5a5a, 10);
  }

  @Test
  void aClosedRegionIsRefused() {
    target.close();
    writeIsRefused(target.remoteAddress(), target.rkey(), 10);
  }

  @Test
  void aClosedRegionIsRefusedToReads() {
    target.close();
    readIsRefused(target.remoteAddress(), target.rkey(), 10);
  }

  @Test
  void aRegionOfAnotherDomainIsRefused() {
    try (ProtectionDomain other = fabric.server.allocateDomain()) {
      MemoryRegion foreign =
          other.register(guarded.asSlice(TARGET_BYTES, TARGET_BYTES), EnumSet.allOf(Access.class));
      writeIsRefused(foreign.remoteAddress(), foreign.rkey(), 10);
    }
  }

  @Test
  void aRegionOfAClosedDomainIsRefused() {
    ProtectionDomain other = fabric.server.allocateDomain();
    MemoryRegion foreign =
        other.register(guarded.asSlice(TARGET_BYTES, TARGET_BYTES), EnumSet.allOf(Access.class));
    other.close();
    other.close();
    readIsRefused(foreign.remoteAddress(), foreign.rkey(), 10);
  }

  @Test
  void aWriteWithoutTheRightIsRefused() {
    MemoryRegion readable = register(EnumSet.of(Access.REMOTE_READ));
    writeIsRefused(readable.remoteAddress(), readable.rkey(), 10);
  }

  @Test
  void aReadWithoutTheRightIsRefused() {
    MemoryRegion writable = register(EnumSet.of(Access.REMOTE_WRITE));
    readIsRefused(writable.remoteAddress(), writable.rkey(), 10);
  }

  @Test
  void aWriteThatEndsOneByteTooLateIsRefused() {
    writeIsRefused(target.remoteAddress() + 1, target.rkey(), TARGET_BYTES);
  }

  @Test
  void aWriteThatBeginsOneByteTooEarlyIsRefused() {
    writeIsRefused(target.remoteAddress() - 1, target.rkey(), 10);
  }

  @Test
  void aReadThatEndsOneByteTooLateIsRefused() {
    readIsRefused(target.remoteAddress() + 1, target.rkey(), TARGET_BYTES);
  }

  @Test
  void anAddressThatOverflowsIsRefused() {
    writeIsRefused(Long.MAX_VALUE - 5, target.rkey(), 10);
  }

  @Test
  void anUnsignedAddressThatOverflowsIsRefused() {
    writeIsRefused(-5, target.rkey(), 10);
  }

  @Test
  void aReadOfAnAddressThatOverflowsIsRefused() {
    readIsRefused(Long.MAX_VALUE - 5, target.rkey(), 10);
  }

  private void writeIsRefused(long remoteAddress, int rkey, int length) {
    violate(qp -> assertThat(qp.postWrite(1, here, 0, length, remoteAddress, rkey)).isTrue());
    assertThat(guilty.client().kind()).isEqualTo(Kind.REMOTE_ACCESS);
    assertThat(guilty.server().kind()).isEqualTo(Kind.REMOTE_ACCESS);
  }

  private void readIsRefused(long remoteAddress, int rkey, int length) {
    violate(qp -> assertThat(qp.postRead(1, here, 0, length, remoteAddress, rkey)).isTrue());
    assertThat(guilty.client().kind()).isEqualTo(Kind.REMOTE_ACCESS);
    assertThat(guilty.server().kind()).isEqualTo(Kind.REMOTE_ACCESS);
    assertThat(guilty.client().completions())
        .singleElement()
        .satisfies(wc -> assertThat(wc.wrId()).isEqualTo(1))
        .extracting(Wc::status)
        .isIn(WcStatus.REMOTE_ACCESS_ERROR, WcStatus.FLUSHED);
  }

  @Test
  void aSendLongerThanTheReceiveEndsBothEnds() {
    fabric.run(
        guilty.server(), qp -> assertThat(qp.postRecv(9, target, 0, TARGET_BYTES / 2)).isTrue());
    violate(qp -> assertThat(qp.postSend(1, here, 0, TARGET_BYTES / 2 + 1)).isTrue());
    assertThat(guilty.server().completions())
        .singleElement()
        .satisfies(wc -> assertThat(wc.wrId()).isEqualTo(9))
        .satisfies(wc -> assertThat(wc.opcode()).isEqualTo(WcOpcode.RECV))
        .extracting(Wc::status)
        .isEqualTo(WcStatus.LENGTH_ERROR);
    assertTyped();
    assertThat(target.memory().get(ValueLayout.JAVA_BYTE, TARGET_BYTES / 2)).isEqualTo(UNTOUCHED);
  }

  @Test
  void aSendThatMeetsNoReceiveEndsBothEnds() {
    violate(qp -> assertThat(qp.postSend(1, here, 0, 10)).isTrue());
    assertThat(guilty.server().count()).isZero();
    assertTyped();
  }

  private void assertTyped() {
    Set<Kind> typed = EnumSet.of(Kind.PROTOCOL, Kind.REMOTE_ACCESS, Kind.CONNECTION_LOST);
    assertThat(guilty.client().kind()).isIn(typed);
    assertThat(guilty.server().kind()).isIn(typed);
  }

  /** Does it, and checks that only the guilty connection ends, with its work completed once. */
  private void violate(Consumer<QueuePair> action) {
    fabric.run(guilty.client(), action);
    fabric.await(
        "both ends of the guilty connection end",
        () -> guilty.client().isClosed() && guilty.server().isClosed());
    assertThat(guilty.client().completions().stream().map(Wc::wrId)).containsExactly(1L);
    assertThat(guarded.asSlice(0, TARGET_BYTES).toArray(ValueLayout.JAVA_BYTE))
        .containsOnly(UNTOUCHED);
    assertThat(guarded.asSlice(2 * TARGET_BYTES, TARGET_BYTES).toArray(ValueLayout.JAVA_BYTE))
        .containsOnly(UNTOUCHED);
    fabric.roundTrip(innocent.client(), innocent.server());
    fabric.roundTrip(innocent.server(), innocent.client());
  }
}
