package io.maestro.ps;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The header of every message between a worker and a server, {@link #BYTES} bytes in network order
 * and then text up to the end.
 *
 * @param op what it is
 * @param status how it was answered
 * @param request chosen by the worker, repeated in the answer
 * @param step the step of a gradient, the version of values
 * @param shard the shard's number, 0 where there is none
 * @param rank the worker's rank
 * @param argument depends on the operation
 * @param timeoutMs how long the server may let a request wait, in milliseconds
 * @param text in an answer that is not OK: what is wrong and the cure
 */
record Header(
    Op op,
    Status status,
    long request,
    long step,
    int shard,
    int rank,
    long argument,
    int timeoutMs,
    String text) {

  static final byte PROTOCOL_VERSION = 1;
  static final int BYTES = 44;

  private static final short MAGIC = 0x5053;
  private static final int OFFSET_OF_REQUEST = 8;
  private static final int MAX_TEXT_BYTES = 900;

  static Header request(Op op, int rank) {
    return new Header(op, Status.OK, 0, 0, 0, rank, 0, 0, "");
  }

  Header answer(Status newStatus, long newStep, String newText) {
    return new Header(Op.ANSWER, newStatus, request, newStep, shard, rank, 0, 0, newText);
  }

  Header withRequest(long newRequest) {
    return new Header(op, status, newRequest, step, shard, rank, argument, timeoutMs, text);
  }

  Header withStep(long newStep) {
    return new Header(op, status, request, newStep, shard, rank, argument, timeoutMs, text);
  }

  Header withShard(int newShard) {
    return new Header(op, status, request, step, newShard, rank, argument, timeoutMs, text);
  }

  Header withArgument(long newArgument) {
    return new Header(op, status, request, step, shard, rank, newArgument, timeoutMs, text);
  }

  Header withTimeoutMs(int newTimeoutMs) {
    return new Header(op, status, request, step, shard, rank, argument, newTimeoutMs, text);
  }

  ByteBuffer encode() {
    byte[] tail = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(tail.length, MAX_TEXT_BYTES);
    ByteBuffer bytes = ByteBuffer.allocate(BYTES + length);
    bytes.putShort(MAGIC).put(PROTOCOL_VERSION).put(op.code()).put(status.code());
    bytes.position(OFFSET_OF_REQUEST);
    bytes.putLong(request).putLong(step).putInt(shard).putInt(rank);
    bytes.putLong(argument).putInt(timeoutMs);
    return bytes.put(tail, 0, length).flip();
  }

  /**
   * Reads a header.
   *
   * @throws Refusal when it is not one; the answer to it can still be addressed if {@link
   *     #requestOf} finds a number
   */
  static Header decode(ByteBuffer bytes) {
    ByteBuffer in = bytes.duplicate();
    if (in.remaining() < BYTES || in.getShort() != MAGIC) {
      throw new Refusal(
          Status.MALFORMED, "this is no parameter server message; connect workers to servers only");
    }
    byte version = in.get();
    if (version != PROTOCOL_VERSION) {
      throw new Refusal(
          Status.PROTOCOL_VERSION,
          "protocol version %d, expected %d: run the same Maestro version on all hosts"
              .formatted(version, PROTOCOL_VERSION));
    }
    Op op = Op.of(in.get());
    Status status = Status.of(in.get());
    if (op == null || status == null) {
      throw new Refusal(Status.MALFORMED, "unknown operation or status");
    }
    in.position(bytes.position() + OFFSET_OF_REQUEST);
    return new Header(
        op,
        status,
        in.getLong(),
        in.getLong(),
        in.getInt(),
        in.getInt(),
        in.getLong(),
        in.getInt(),
        StandardCharsets.UTF_8.decode(in).toString());
  }

  /** The number that an answer to a message with an unreadable header should carry. */
  static long requestOf(ByteBuffer bytes) {
    boolean present = bytes.remaining() >= OFFSET_OF_REQUEST + Long.BYTES;
    return present ? bytes.duplicate().getLong(bytes.position() + OFFSET_OF_REQUEST) : 0;
  }
}
