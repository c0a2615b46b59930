package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** The state of a queue pair ({@code enum ibv_qp_state}). */
public enum IbvQpState implements CConstant {
  /** New. */
  RESET(0),
  /** Takes receives. */
  INIT(1),
  /** Ready to receive. */
  RTR(2),
  /** Ready to send. */
  RTS(3),
  /** The send queue is being drained. */
  SQD(4),
  /** The send queue failed. */
  SQE(5),
  /** Failed; what is posted is flushed. */
  ERR(6),
  /** Not known. */
  UNKNOWN(7);

  private static final IbvQpState[] ALL = values();

  private final int value;

  IbvQpState(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_QPS_" + name();
  }

  @Override
  public int value() {
    return value;
  }

  /** The one of this value; null for one that is not known here. */
  public static @Nullable IbvQpState of(int value) {
    for (IbvQpState each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
