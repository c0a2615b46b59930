package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** The state of a port ({@code enum ibv_port_state}). */
public enum IbvPortState implements CConstant {
  /** Unchanged. */
  NOP(0),
  /** Down. */
  DOWN(1),
  /** Being brought up. */
  INIT(2),
  /** Configured and not active yet. */
  ARMED(3),
  /** Carries data. */
  ACTIVE(4),
  /** Active after a short link failure. */
  ACTIVE_DEFER(5);

  private static final IbvPortState[] ALL = values();

  private final int value;

  IbvPortState(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_PORT_" + name();
  }

  @Override
  public int value() {
    return value;
  }

  /** The one of this value; null for one that is not known here. */
  public static @Nullable IbvPortState of(int value) {
    for (IbvPortState each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
