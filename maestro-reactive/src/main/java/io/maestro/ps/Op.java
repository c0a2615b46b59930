package io.maestro.ps;

import org.jspecify.annotations.Nullable;

/** What a message between a worker and a server is; with its code on the wire. */
enum Op {
  /** A worker says who it is and what it will send; the payload is a {@link Hello}. */
  HELLO(1),
  /** The worker takes part from the step on. */
  ENTER(2),
  /** The worker asks whether its initial values are the ones to use. */
  CLAIM(3),
  /** Initial values of a shard. */
  INITIALISE(4),
  /** The initial values are complete on all servers. */
  CLAIM_DONE(5),
  /** A shard's gradient. */
  PUSH(6),
  /** Asks for a shard's values. */
  PULL(7),
  /** A gradient whose answer is the values after the step. */
  EXCHANGE(8),
  /** The worker takes part no more. */
  LEAVE(9),
  /** A server's answer to any of these. */
  ANSWER(10);

  private static final Op[] VALUES = values();

  private final byte code;

  Op(int code) {
    this.code = (byte) code;
  }

  byte code() {
    return code;
  }

  static @Nullable Op of(byte code) {
    for (Op op : VALUES) {
      if (op.code == code) {
        return op;
      }
    }
    return null;
  }
}
