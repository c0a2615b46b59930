package io.maestro.verbs.ffi.rdma;

/** What to do ({@code enum ibv_wr_opcode}). */
public enum IbvWrOpcode implements CConstant {
  /** WRITE. */
  RDMA_WRITE(0),
  /** WRITE, and complete a receive of the peer with four bytes. */
  RDMA_WRITE_WITH_IMM(1),
  /** SEND. */
  SEND(2),
  /** SEND with four bytes beside the message. */
  SEND_WITH_IMM(3),
  /** READ. */
  RDMA_READ(4);

  private final int value;

  IbvWrOpcode(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_WR_" + name();
  }

  @Override
  public int value() {
    return value;
  }
}
