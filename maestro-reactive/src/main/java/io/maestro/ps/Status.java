package io.maestro.ps;

import org.jspecify.annotations.Nullable;

/** How a server answers, with its code on the wire and its word for programs. */
enum Status {
  OK(0, "ok"),
  /** The step to enter at is past; the answer's step is the last that is complete. */
  TOO_LATE(1, "too-late"),
  MEMBER_LOST(2, "member-lost"),
  DEADLINE(3, "deadline"),
  SUPERSEDED(4, "superseded"),
  MALFORMED(5, "malformed"),
  PROTOCOL_VERSION(6, "protocol-version"),
  CONFIGURATION_DIFFERS(7, "configuration-differs"),
  TENSORS_DIFFER(8, "tensors-differ"),
  INITIAL_VALUES_DIFFER(9, "initial-values-differ"),
  ALREADY_INITIALISED(10, "already-initialised"),
  DUPLICATE_RANK(11, "duplicate-rank"),
  NOT_A_MEMBER(12, "not-a-member"),
  JOB_STARTED(13, "job-started"),
  UNKNOWN_SHARD(14, "unknown-shard"),
  WRONG_SIZE(15, "wrong-size"),
  OUT_OF_STEP(16, "out-of-step"),
  MEMORY(17, "memory"),
  UPDATE_FAILED(18, "update-failed"),
  SERVER_CLOSED(19, "server-closed");

  private static final Status[] VALUES = values();

  private final byte code;
  private final String reason;

  Status(int code, String reason) {
    this.code = (byte) code;
    this.reason = reason;
  }

  /** The stable word that programs compare. */
  String reason() {
    return reason;
  }

  byte code() {
    return code;
  }

  static @Nullable Status of(byte code) {
    for (Status status : VALUES) {
      if (status.code == code) {
        return status;
      }
    }
    return null;
  }
}
