package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** An event of the connection manager ({@code enum rdma_cm_event_type}). */
public enum CmEventType implements CConstant {
  /** The device and the source address are known. */
  ADDR_RESOLVED(0),
  /** The address could not be resolved. */
  ADDR_ERROR(1),
  /** The route is known. */
  ROUTE_RESOLVED(2),
  /** The route could not be resolved. */
  ROUTE_ERROR(3),
  /** A peer asks to connect. */
  CONNECT_REQUEST(4),
  /** The peer answered a request that has no queue pair here. */
  CONNECT_RESPONSE(5),
  /** Connecting failed. */
  CONNECT_ERROR(6),
  /** The peer cannot be reached, or does not answer. */
  UNREACHABLE(7),
  /** The peer rejected the connection. */
  REJECTED(8),
  /** The connection carries data. */
  ESTABLISHED(9),
  /** The connection has ended. */
  DISCONNECTED(10),
  /** The device is being removed. */
  DEVICE_REMOVAL(11),
  /** A multicast group was joined. */
  MULTICAST_JOIN(12),
  /** A multicast group could not be joined. */
  MULTICAST_ERROR(13),
  /** The hardware address of the connection has changed. */
  ADDR_CHANGE(14),
  /** The queue pair may be used again. */
  TIMEWAIT_EXIT(15);

  private static final CmEventType[] ALL = values();

  private final int value;

  CmEventType(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "RDMA_CM_EVENT_" + name();
  }

  @Override
  public int value() {
    return value;
  }

  /** The one of this value; null for one that is not known here. */
  public static @Nullable CmEventType of(int value) {
    for (CmEventType each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
