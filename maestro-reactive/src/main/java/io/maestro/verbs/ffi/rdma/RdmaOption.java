package io.maestro.verbs.ffi.rdma;

/** An option of an identifier, at level {@code RDMA_OPTION_ID}. */
public enum RdmaOption implements CConstant {
  /** The type of service: one byte. */
  TOS(0),
  /** Whether the address may be bound again: an int. */
  REUSEADDR(1),
  /** Whether to listen for one address family only: an int. */
  AFONLY(2),
  /** The ACK timeout, as a power of two of 4.096 µs: one byte. */
  ACK_TIMEOUT(3);

  private final int value;

  RdmaOption(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "RDMA_OPTION_ID_" + name();
  }

  @Override
  public int value() {
    return value;
  }
}
