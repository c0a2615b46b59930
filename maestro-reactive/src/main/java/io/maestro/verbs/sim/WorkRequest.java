package io.maestro.verbs.sim;

import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.lang.foreign.MemorySegment;

/** A posted work request, in a slot that is used again and again. */
final class WorkRequest {
  long seq;
  long id;
  WcOpcode opcode = WcOpcode.SEND;
  MemorySegment memory = MemorySegment.NULL;
  long offset;
  int length;
  long remoteAddress;
  int rkey;
  int startedBytes;
  boolean done;
  WcStatus status = WcStatus.SUCCESS;

  void post(WcOpcode what, long wrId, MemorySegment buffer, long at, int bytes) {
    id = wrId;
    opcode = what;
    memory = buffer;
    offset = at;
    length = bytes;
    startedBytes = 0;
    done = false;
    status = WcStatus.SUCCESS;
  }

  /** Names the remote memory; returns true, as posting does. */
  boolean to(long address, int key) {
    remoteAddress = address;
    rkey = key;
    return true;
  }

  void complete() {
    done = true;
    memory = MemorySegment.NULL;
  }
}
