package io.maestro.verbs.ffi.rdma;

/** The service of a queue pair ({@code enum ibv_qp_type}). */
public enum IbvQpType implements CConstant {
  /** Reliable connection. */
  RC(2),
  /** Unreliable connection. */
  UC(3),
  /** Unreliable datagram. */
  UD(4);

  private final int value;

  IbvQpType(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_QPT_" + name();
  }

  @Override
  public int value() {
    return value;
  }
}
