package io.maestro.session;

import static io.maestro.session.MessageHeader.RUN_BYTES;
import static io.maestro.session.MessageHeader.U16;
import static io.maestro.session.MessageHeader.U32;
import static io.maestro.session.MessageHeader.U64;
import static io.maestro.session.MessageHeader.U8;

import io.maestro.api.SendOptions;
import java.lang.foreign.MemorySegment;

/**
 * Decodes control messages in place; reusable, not thread-safe, allocates only where said.
 *
 * <p>{@link #wrap} checks everything that a peer can get wrong, so that the accessors cannot fail.
 * They read the memory that was wrapped, as long as it is not reused; a field that {@link
 * ControlType} does not give to the message's type means nothing.
 */
final class WireReader {
  private MemorySegment memory = MemorySegment.NULL;
  private long header;
  private long body;
  private int bodyBytes;
  private ControlType type = ControlType.ACK;
  private AbortReason abortReason = AbortReason.RECEIVER_CANCELLED;
  private String problem = "";

  /**
   * Takes the message of {@code length} bytes at {@code offset}.
   *
   * @return false when it is malformed, which {@link #problem()} then explains
   */
  boolean wrap(MemorySegment memory, long offset, int length) {
    this.memory = memory;
    this.header = offset;
    this.body = offset + MessageHeader.BYTES;
    this.bodyBytes = length - MessageHeader.BYTES;
    problem = check();
    return problem.isEmpty();
  }

  /** What is wrong with the message; empty when nothing is. */
  String problem() {
    return problem;
  }

  private String check() {
    if (bodyBytes < 0) {
      return "shorter than a header";
    }
    ControlType known = ControlType.of(memory.get(U8, header + MessageHeader.TYPE));
    if (known == null) {
      return "unknown type";
    }
    type = known;
    if (memory.get(U32, header + MessageHeader.BODY_LENGTH) != bodyBytes
        || bodyBytes < type.fixedBodyBytes()) {
      return "wrong body length";
    }
    return switch (type) {
      case NOTIFY -> checkRuns();
      case EAGER -> checkEager();
      case RTS -> checkRts();
      case ABORT -> checkAbort();
      case PROBE -> "";
      default -> checkVariable(0);
    };
  }

  private String checkVariable(long variableBytes) {
    return bodyBytes == type.fixedBodyBytes() + variableBytes ? "" : "wrong body length";
  }

  private String checkRuns() {
    if (runs() == 0 || runs() > MessageHeader.MAX_RUNS) {
      return "wrong number of runs";
    }
    String lengths = checkVariable((long) runs() * RUN_BYTES);
    for (int i = 0; lengths.isEmpty() && i < runs(); i++) {
      if (runFirst(i) < 0 || runCount(i) < 1 || runFirst(i) + runCount(i) < 0) {
        return "run out of range";
      }
    }
    return lengths;
  }

  private String checkEager() {
    if (dataBytes() < 0 || headerBytes() > SendOptions.MAX_HEADER_BYTES) {
      return "length out of range";
    }
    return checkVariable((long) headerBytes() + dataBytes());
  }

  private String checkRts() {
    if (size() < 1 || priority() > 7 || headerBytes() > SendOptions.MAX_HEADER_BYTES) {
      return "size, priority or header length out of range";
    }
    return checkVariable(headerBytes());
  }

  private String checkAbort() {
    AbortReason known = AbortReason.of(memory.get(U8, body + 8));
    if (known == null) {
      return "unknown reason";
    }
    abortReason = known;
    return checkVariable(0);
  }

  ControlType type() {
    return type;
  }

  /** Receives that the peer has posted on this path so far, modulo 2³². */
  int recvCredit() {
    return memory.get(U32, header + MessageHeader.RECV_CREDIT);
  }

  /** Chunks that the peer has received on this path so far. */
  long ackSeq() {
    return memory.get(U64, header + MessageHeader.ACK_SEQ);
  }

  /** The message's number among the sequenced ones of the session, 0 when it has none. */
  long controlSeq() {
    return memory.get(U64, header + MessageHeader.CONTROL_SEQ);
  }

  /** Of CONFIRM: the proof, a copy. */
  byte[] proof() {
    return copy(body, SessionKeys.PROOF_BYTES);
  }

  /** Of NOTIFY: how many runs there are, 1 to 64. */
  int runs() {
    return memory.get(U16, body) & 0xffff;
  }

  /** Of NOTIFY: the slot of a run. */
  int runSlot(int index) {
    return memory.get(U32, run(index));
  }

  /** Of NOTIFY: the first chunk of a run. */
  int runFirst(int index) {
    return memory.get(U32, run(index) + 4);
  }

  /** Of NOTIFY: the number of chunks of a run, at least 1; first + count fits an int. */
  int runCount(int index) {
    return memory.get(U32, run(index) + 8);
  }

  private long run(int index) {
    return body + ControlType.NOTIFY.fixedBodyBytes() + (long) index * RUN_BYTES;
  }

  /** Of CREDIT. */
  long total() {
    return memory.get(U64, body);
  }

  /** Of EAGER, RTS, CTS, CANCEL, ABORT: the number of the message they are about. */
  long msgSeq() {
    return memory.get(U64, body);
  }

  /** Of EAGER and RTS: length of the user's header, 0 to 1024. */
  int headerBytes() {
    return memory.get(U16, body + (type == ControlType.RTS ? 17 : 8)) & 0xffff;
  }

  /** Of EAGER and RTS: the user's header, a copy. */
  byte[] header() {
    return copy(body + type.fixedBodyBytes(), headerBytes());
  }

  private byte[] copy(long from, int length) {
    byte[] bytes = new byte[length];
    MemorySegment.copy(memory, U8, from, bytes, 0, length);
    return bytes;
  }

  /** Of EAGER: length of the data. */
  int dataBytes() {
    return memory.get(U32, body + 10);
  }

  /** Of EAGER: where in the wrapped memory the data is. */
  long dataOffset() {
    return body + ControlType.EAGER.fixedBodyBytes() + headerBytes();
  }

  /** Of RTS: size of the message in bytes, positive. */
  long size() {
    return memory.get(U64, body + 8);
  }

  /** Of RTS: 0 to 7. */
  int priority() {
    return memory.get(U8, body + 16) & 0xff;
  }

  /** Of CTS. */
  int slot() {
    return memory.get(U32, body + 8);
  }

  /** Of CTS: the remote address of the message's first byte. */
  long base() {
    return memory.get(U64, body + 12);
  }

  /** Of CTS. */
  int rkey() {
    return memory.get(U32, body + 20);
  }

  /** Of ABORT. */
  AbortReason abortReason() {
    return abortReason;
  }

  /** Of ABORT: the most bytes that the receiver could take, 0 when that was not the reason. */
  long limit() {
    return memory.get(U64, body + 9);
  }

  /** Of FENCE and FENCED: 0 to 65535. */
  int pathId() {
    return memory.get(U16, body) & 0xffff;
  }

  /** Of FENCE and FENCED. */
  int generation() {
    return memory.get(U32, body + 2);
  }

  /** Of FENCED: chunks that the peer was told of on that QP in all. */
  long received() {
    return memory.get(U64, body + 6);
  }
}
