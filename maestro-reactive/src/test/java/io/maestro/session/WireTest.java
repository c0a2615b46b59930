package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WireTest {
  private static final int CAPACITY = MessageHeader.maxMessageBytes(16 * 1024);

  private final long seed = new SplittableRandom().nextLong();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final MemorySegment slab = Arena.ofAuto().allocate(CAPACITY + 64);
  private final WireWriter writer = new WireWriter();
  private final WireReader reader = new WireReader();

  private WireWriter write(long offset) {
    return writer.wrap(slab, offset, CAPACITY);
  }

  private void read(ControlType type, long offset, int length) {
    assertThat(reader.wrap(slab, offset, length)).as(reader.problem()).isTrue();
    assertThat(reader.type()).isEqualTo(type);
  }

  @Test
  void theHeaderIsLaidOutAsDocumented() {
    assertThat(write(3).controlSeq(0x1122334455667788L).cancel(5)).isEqualTo(40);
    MessageHeader.patch(slab, 3, 0x01020304, 0x0a0b0c0d0e0f1011L);
    assertThat(slab.asSlice(3, 40).toArray(ValueLayout.JAVA_BYTE))
        .asHexString()
        .isEqualTo(
            "08000000"
                + "01020304"
                + "0A0B0C0D0E0F1011"
                + "1122334455667788"
                + "00000008"
                + "00000000"
                + "0000000000000005");
    read(ControlType.CANCEL, 3, 40);
    assertThat(reader.recvCredit()).isEqualTo(0x01020304);
    assertThat(reader.ackSeq()).isEqualTo(0x0a0b0c0d0e0f1011L);
    assertThat(reader.controlSeq()).isEqualTo(0x1122334455667788L);
  }

  @Test
  void everyTypeIsReadAsItWasWritten() {
    for (int i = 0; i < 20_000; i++) {
      long offset = random.nextInt(64);
      ControlType type = ControlType.of(random.nextInt(1, 14));
      try {
        roundTrip(type, offset);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(type + ", seed " + seed, e);
      }
    }
  }

  private void roundTrip(ControlType type, long offset) {
    switch (type) {
      case CONFIRM -> confirm(offset);
      case NOTIFY -> runs(offset);
      case EAGER -> eager(offset);
      case RTS -> rts(offset);
      case CTS -> cts(offset);
      case ABORT -> abort(offset);
      case FENCE, FENCED -> fence(type, offset);
      default -> number(type, offset);
    }
  }

  private void confirm(long offset) {
    byte[] proof = new byte[32];
    random.nextBytes(proof);
    read(ControlType.CONFIRM, offset, write(offset).confirm(proof));
    assertThat(reader.proof()).isEqualTo(proof);
  }

  private void runs(long offset) {
    int count = random.nextInt(1, 65);
    int[] numbers = random.ints(3L * count, 1, 1 << 30).toArray();
    write(offset);
    for (int i = 0; i < count; i++) {
      assertThat(writer.addRun(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2])).isTrue();
    }
    read(ControlType.NOTIFY, offset, writer.notifyRuns());
    assertThat(reader.runs()).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(reader.runSlot(i)).isEqualTo(numbers[3 * i]);
      assertThat(reader.runFirst(i)).isEqualTo(numbers[3 * i + 1]);
      assertThat(reader.runCount(i)).isEqualTo(numbers[3 * i + 2]);
    }
  }

  private void eager(long offset) {
    byte[] header = bytes(random.nextInt(1025));
    byte[] data = bytes(random.nextInt(16 * 1024 + 1));
    long msgSeq = random.nextLong();
    MemorySegment source = MemorySegment.ofArray(data);
    int length = write(offset).eager(msgSeq, header, source, 0, data.length);
    read(ControlType.EAGER, offset, length);
    assertThat(reader.msgSeq()).isEqualTo(msgSeq);
    assertThat(reader.header()).isEqualTo(header);
    assertThat(reader.dataBytes()).isEqualTo(data.length);
    assertThat(slab.asSlice(reader.dataOffset(), data.length).mismatch(source)).isEqualTo(-1);
  }

  private void rts(long offset) {
    byte[] header = bytes(random.nextInt(1025));
    long size = random.nextLong(1, Long.MAX_VALUE);
    int priority = random.nextInt(8);
    long msgSeq = random.nextLong();
    int length = write(offset).rts(msgSeq, size, priority, header);
    read(ControlType.RTS, offset, length);
    assertThat(reader.msgSeq()).isEqualTo(msgSeq);
    assertThat(reader.size()).isEqualTo(size);
    assertThat(reader.priority()).isEqualTo(priority);
    assertThat(reader.header()).isEqualTo(header);
  }

  private void cts(long offset) {
    long msgSeq = random.nextLong();
    int slot = random.nextInt();
    long base = random.nextLong();
    int rkey = random.nextInt();
    read(ControlType.CTS, offset, write(offset).cts(msgSeq, slot, base, rkey));
    assertThat(reader.msgSeq()).isEqualTo(msgSeq);
    assertThat(reader.slot()).isEqualTo(slot);
    assertThat(reader.base()).isEqualTo(base);
    assertThat(reader.rkey()).isEqualTo(rkey);
  }

  private void abort(long offset) {
    AbortReason reason = AbortReason.of(random.nextInt(1, 3));
    long limit = random.nextLong();
    read(ControlType.ABORT, offset, write(offset).abort(7, reason, limit));
    assertThat(reader.msgSeq()).isEqualTo(7);
    assertThat(reader.abortReason()).isEqualTo(reason);
    assertThat(reader.limit()).isEqualTo(limit);
  }

  private void fence(ControlType type, long offset) {
    int path = random.nextInt(65536);
    int generation = random.nextInt();
    write(offset);
    boolean asks = type == ControlType.FENCE;
    read(type, offset, asks ? writer.fence(path, generation) : writer.fenced(path, generation, 9));
    assertThat(reader.pathId()).isEqualTo(path);
    assertThat(reader.generation()).isEqualTo(generation);
    assertThat(asks || reader.received() == 9).isTrue();
  }

  private void number(ControlType type, long offset) {
    long number = random.nextLong();
    write(offset);
    int length =
        switch (type) {
          case CREDIT -> writer.credit(number);
          case CANCEL -> writer.cancel(number);
          case PING -> writer.ping();
          case BYE -> writer.bye();
          default -> writer.ack();
        };
    read(type, offset, length);
    switch (type) {
      case CREDIT -> assertThat(reader.total()).isEqualTo(number);
      case CANCEL -> assertThat(reader.msgSeq()).isEqualTo(number);
      default -> assertThat(length).isEqualTo(MessageHeader.BYTES);
    }
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void chunksThatFollowOneAnotherShareARun() {
    write(0);
    assertThat(writer.addRun(1, 0, 1) && writer.addRun(1, 1, 2) && writer.addRun(2, 3, 1)).isTrue();
    read(ControlType.NOTIFY, 0, writer.notifyRuns());
    assertThat(reader.runs()).isEqualTo(2);
    assertThat(reader.runCount(0)).isEqualTo(3);
    assertThat(reader.runFirst(1)).isEqualTo(3);
  }

  @Test
  void aNotifyTakesNoMoreThan64RunsAndNoMoreThanItsCapacity() {
    write(0);
    for (int i = 0; i < 64; i++) {
      assertThat(writer.addRun(i, 5, 1)).isTrue();
    }
    assertThat(writer.addRun(64, 5, 1)).isFalse();
    assertThat(writer.addRun(63, 6, 1)).isTrue();
    writer.wrap(slab, 0, 32 + 2 + 12);
    assertThat(writer.addRun(1, 5, 1)).isTrue();
    assertThat(writer.addRun(2, 5, 1)).isFalse();
    assertThat(writer.notifyRuns()).isEqualTo(46);
  }

  @Test
  void aMessageLargerThanTheCapacityIsNotWritten() {
    writer.wrap(slab, 0, 39);
    assertThatThrownBy(() -> writer.cancel(1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void randomBytesAreReportedAndNeverThrow() {
    int wellFormed = 0;
    for (int i = 0; i < 200_000; i++) {
      int length = random.nextInt(random.nextBoolean() ? 64 : 1200);
      byte[] bytes = bytes(length);
      if (length >= 32 && random.nextInt(4) > 0) {
        bytes[0] = (byte) random.nextInt(1, 14);
        ByteBuffer.wrap(bytes).putInt(24, length - 32);
      }
      MemorySegment exact = MemorySegment.ofArray(bytes);
      if (reader.wrap(exact, 0, length)) {
        wellFormed++;
        assertThat(bodyOf(reader)).as("seed %d", seed).isLessThanOrEqualTo(length);
      } else {
        assertThat(reader.problem()).as("seed %d", seed).isNotEmpty();
      }
    }
    assertThat(wellFormed).as("seed %d", seed).isPositive();
  }

  private static long bodyOf(WireReader reader) {
    return switch (reader.type()) {
      case EAGER -> reader.dataOffset() + reader.dataBytes();
      case RTS -> reader.header().length + reader.priority();
      case NOTIFY -> reader.runCount(reader.runs() - 1) > 0 ? 0 : Long.MAX_VALUE;
      default -> reader.controlSeq() & 1;
    };
  }

  @Test
  void aRunBeyondTheRangeOfChunkNumbersIsMalformed() {
    write(0).addRun(1, Integer.MAX_VALUE, 1);
    assertThat(reader.wrap(slab, 0, writer.notifyRuns())).isFalse();
    assertThat(reader.problem()).isEqualTo("run out of range");
  }
}
