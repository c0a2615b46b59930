package io.maestro.verbs.ffi.rdma;

/** What may be done with registered memory ({@code enum ibv_access_flags}). */
public enum IbvAccess implements CConstant {
  /** Receives and READs of this side may land in it. */
  LOCAL_WRITE(1),
  /** The peer may WRITE to it. */
  REMOTE_WRITE(2),
  /** The peer may READ it. */
  REMOTE_READ(4),
  /** The peer may change it atomically. */
  REMOTE_ATOMIC(8);

  private final int value;

  IbvAccess(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_ACCESS_" + name();
  }

  @Override
  public int value() {
    return value;
  }
}
