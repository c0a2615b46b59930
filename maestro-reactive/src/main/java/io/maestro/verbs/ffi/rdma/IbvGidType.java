package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** What a GID is for ({@code enum ibv_gid_type}). */
public enum IbvGidType implements CConstant {
  /** InfiniBand. */
  IB(0),
  /** RoCE in Ethernet frames, within one link. */
  ROCE_V1(1),
  /** RoCE in UDP datagrams, which are routed. */
  ROCE_V2(2);

  private static final IbvGidType[] ALL = values();

  private final int value;

  IbvGidType(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_GID_TYPE_" + name();
  }

  @Override
  public int value() {
    return value;
  }

  /** The one of this value; null for one that is not known here. */
  public static @Nullable IbvGidType of(int value) {
    for (IbvGidType each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
