package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** What a port is connected to. */
public enum IbvLinkLayer implements CConstant {
  /** Not said. */
  UNSPECIFIED(0),
  /** InfiniBand. */
  INFINIBAND(1),
  /** Ethernet: RoCE or iWARP. */
  ETHERNET(2);

  private static final IbvLinkLayer[] ALL = values();

  private final int value;

  IbvLinkLayer(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_LINK_LAYER_" + name();
  }

  @Override
  public int value() {
    return value;
  }

  /** The one of this value; null for one that is not known here. */
  public static @Nullable IbvLinkLayer of(int value) {
    for (IbvLinkLayer each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
