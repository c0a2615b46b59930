package io.maestro.session;

import java.lang.foreign.MemorySegment;

/**
 * Control messages as a target of fuzzing: any bytes are refused with a reason, or read within
 * their length; what was read and is written again is the same message.
 */
public final class ControlFuzz {
  private static final int MOST_BYTES = MessageHeader.maxMessageBytes(65_536);

  private static final RegionPool POOL = new RegionPool(new MemoryBudget(1 << 20));
  private static final MemorySegment AGAIN = MemorySegment.ofArray(new byte[MOST_BYTES]);

  private ControlFuzz() {}

  /** Runs one input; throws when it does what it must not. */
  public static void fuzzerTestOneInput(byte[] input) {
    MemorySegment memory = MemorySegment.ofArray(input);
    WireReader reader = new WireReader();
    if (!reader.wrap(memory, 0, input.length)) {
      require(!reader.problem().isEmpty(), "refused without a reason");
      return;
    }
    switch (reader.type()) {
      case NOTIFY -> readRuns(reader);
      case ACK, PING, PROBE -> {
        // They have no body that anybody reads.
      }
      default -> readAndWrite(reader, memory);
    }
    require(POOL.leasedCount() == 0, "memory stays leased");
  }

  private static void readRuns(WireReader reader) {
    for (int run = 0; run < reader.runs(); run++) {
      int first = reader.runFirst(run);
      int count = reader.runCount(run);
      require(first >= 0 && count > 0 && first + count > 0, "a run of no chunks was taken");
    }
  }

  private static void readAndWrite(WireReader reader, MemorySegment memory) {
    Control control = ControlCodec.read(reader, memory, POOL);
    WireWriter writer = new WireWriter().wrap(AGAIN, 0, MOST_BYTES);
    int length = ControlCodec.write(writer.controlSeq(reader.controlSeq()), control);
    ControlRouter.release(control);
    MemorySegment body = memory.asSlice(MessageHeader.BYTES);
    MemorySegment written = AGAIN.asSlice(MessageHeader.BYTES, length - MessageHeader.BYTES);
    require(body.mismatch(written) < 0, control + " is written in another way than it was read");
  }

  private static void require(boolean holds, String text) {
    if (!holds) {
      throw new AssertionError(text);
    }
  }
}
