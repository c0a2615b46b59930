package io.maestro.trainer.fault;

import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.WcOpcode;
import java.util.Objects;

/** Work that waits for its link; its memory belongs to the provider as if it were posted. */
record Post(
    WcOpcode opcode,
    long wrId,
    MemoryRegion region,
    long offset,
    int length,
    long remoteAddress,
    int rkey) {

  /** Refuses a range that the queue pair would refuse. */
  Post {
    Objects.checkFromIndexSize(offset, length, region.memory().byteSize());
  }

  boolean to(QueuePair pair) {
    return switch (opcode) {
      case WRITE -> pair.postWrite(wrId, region, offset, length, remoteAddress, rkey);
      case READ -> pair.postRead(wrId, region, offset, length, remoteAddress, rkey);
      case SEND -> pair.postSend(wrId, region, offset, length);
      case RECV -> pair.postRecv(wrId, region, offset, length);
    };
  }
}
