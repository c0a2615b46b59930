package io.maestro.verbs.ffi.rdma;

/** How to do it ({@code enum ibv_send_flags}). */
public enum IbvSendFlag implements CConstant {
  /** After all READs that were posted before. */
  FENCE(1),
  /** With a completion. */
  SIGNALED(2),
  /** Waking a peer that waits for such only. */
  SOLICITED(4),
  /** Copying the memory while it is posted. */
  INLINE(8);

  private final int value;

  IbvSendFlag(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_SEND_" + name();
  }

  @Override
  public int value() {
    return value;
  }
}
