package io.maestro.session;

import org.jspecify.annotations.Nullable;

/** Why a receiver wants no more of a message. */
enum AbortReason {
  /** Its subscriber has cancelled. */
  RECEIVER_CANCELLED(1),
  /** The message can never fit into its memory budget; the limit says how much could. */
  OVER_BUDGET(2),
  /** Its process could not get the memory, though its budget had room. */
  NO_MEMORY(3);

  private static final AbortReason[] REASONS = values();

  private final int code;

  AbortReason(int code) {
    this.code = code;
  }

  /** The reason's number on the wire. */
  int code() {
    return code;
  }

  /** The reason with this number. */
  static @Nullable AbortReason of(int code) {
    return code >= 1 && code <= REASONS.length ? REASONS[code - 1] : null;
  }
}
