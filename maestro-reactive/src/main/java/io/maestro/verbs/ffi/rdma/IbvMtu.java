package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** The largest payload of a packet ({@code enum ibv_mtu}); 0 is none of them. */
public enum IbvMtu implements CConstant {
  /** 256 bytes. */
  BYTES_256(1),
  /** 512 bytes. */
  BYTES_512(2),
  /** 1,024 bytes. */
  BYTES_1024(3),
  /** 2,048 bytes. */
  BYTES_2048(4),
  /** 4,096 bytes. */
  BYTES_4096(5);

  private static final IbvMtu[] ALL = values();

  private final int value;

  IbvMtu(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_MTU_" + bytes();
  }

  @Override
  public int value() {
    return value;
  }

  /** The payload, in bytes. */
  public int bytes() {
    return 128 << value;
  }

  /** The one of this value; null for one that is not known here. */
  public static @Nullable IbvMtu of(int value) {
    for (IbvMtu each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
