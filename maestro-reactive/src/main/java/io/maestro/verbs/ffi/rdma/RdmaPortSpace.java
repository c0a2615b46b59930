package io.maestro.verbs.ffi.rdma;

/** What the ports of the connection manager are for ({@code enum rdma_port_space}). */
public enum RdmaPortSpace implements CConstant {
  /** Reliable connections. */
  TCP(0x0106),
  /** Datagrams. */
  UDP(0x0111),
  /** Any InfiniBand service. */
  IB(0x013F);

  private final int value;

  RdmaPortSpace(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "RDMA_PS_" + name();
  }

  @Override
  public int value() {
    return value;
  }
}
