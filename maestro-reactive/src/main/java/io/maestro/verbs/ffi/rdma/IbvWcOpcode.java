package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** What completed ({@code enum ibv_wc_opcode}). */
public enum IbvWcOpcode implements CConstant {
  /** A SEND. */
  SEND(0),
  /** A WRITE. */
  RDMA_WRITE(1),
  /** A READ. */
  RDMA_READ(2),
  /** An atomic compare and swap. */
  COMP_SWAP(3),
  /** An atomic fetch and add. */
  FETCH_ADD(4),
  /** A memory window was bound. */
  BIND_MW(5),
  /** A key was invalidated. */
  LOCAL_INV(6),
  /** A receive. */
  RECV(128),
  /** A receive that a WRITE with immediate data consumed. */
  RECV_RDMA_WITH_IMM(129);

  private static final IbvWcOpcode[] ALL = values();

  private final int value;

  IbvWcOpcode(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_WC_" + name();
  }

  @Override
  public int value() {
    return value;
  }

  /** The one of this value; null for one that is not known here. */
  public static @Nullable IbvWcOpcode of(int value) {
    for (IbvWcOpcode each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
