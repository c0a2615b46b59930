package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** An asynchronous event of a device ({@code enum ibv_event_type}). */
public enum IbvEventType implements CConstant {
  /** A completion queue overflowed. */
  CQ_ERR(0),
  /** A queue pair failed. */
  QP_FATAL(1),
  /** A queue pair got an invalid request. */
  QP_REQ_ERR(2),
  /** A queue pair got a request that it may not serve. */
  QP_ACCESS_ERR(3),
  /** A message arrived before the queue pair was told that it is connected. */
  COMM_EST(4),
  /** A send queue is drained. */
  SQ_DRAINED(5),
  /** A connection moved to its alternate path. */
  PATH_MIG(6),
  /** A connection could not move to its alternate path. */
  PATH_MIG_ERR(7),
  /** The device failed. */
  DEVICE_FATAL(8),
  /** A port has come up. */
  PORT_ACTIVE(9),
  /** A port has gone down. */
  PORT_ERR(10),
  /** The local identifier of a port has changed. */
  LID_CHANGE(11),
  /** The partition keys of a port have changed. */
  PKEY_CHANGE(12),
  /** The subnet manager has changed. */
  SM_CHANGE(13),
  /** A shared receive queue failed. */
  SRQ_ERR(14),
  /** A shared receive queue is running low. */
  SRQ_LIMIT_REACHED(15),
  /** A queue pair took its last shared receive. */
  QP_LAST_WQE_REACHED(16),
  /** The subnet manager asks clients to register again. */
  CLIENT_REREGISTER(17),
  /** The GID table of a port has changed. */
  GID_CHANGE(18),
  /** A work queue failed. */
  WQ_FATAL(19);

  private static final IbvEventType[] ALL = values();

  private final int value;

  IbvEventType(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_EVENT_" + name();
  }

  @Override
  public int value() {
    return value;
  }

  /** The one of this value; null for one that is not known here. */
  public static @Nullable IbvEventType of(int value) {
    for (IbvEventType each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
