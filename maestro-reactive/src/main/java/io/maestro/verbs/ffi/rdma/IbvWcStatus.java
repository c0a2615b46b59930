package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.Nullable;

/** How a work request ended ({@code enum ibv_wc_status}). */
public enum IbvWcStatus implements CConstant {
  /** Done. */
  SUCCESS(0),
  /** A received message is longer than the receive, or a request longer than allowed. */
  LOC_LEN_ERR(1),
  /** The request is malformed for this queue pair. */
  LOC_QP_OP_ERR(2),
  /** As {@link #LOC_QP_OP_ERR}, of a reliable datagram. */
  LOC_EEC_OP_ERR(3),
  /** The local memory is not registered for this access. */
  LOC_PROT_ERR(4),
  /** Not done: the queue pair was in error already. */
  WR_FLUSH_ERR(5),
  /** A memory window could not be bound. */
  MW_BIND_ERR(6),
  /** The peer answered with an opcode that was not expected. */
  BAD_RESP_ERR(7),
  /** The peer wrote to memory that it may not write to. */
  LOC_ACCESS_ERR(8),
  /** The peer says that the request is invalid: too long for its receive, perhaps. */
  REM_INV_REQ_ERR(9),
  /** The peer refused the access: key, bounds or rights. */
  REM_ACCESS_ERR(10),
  /** The peer could not complete the request. */
  REM_OP_ERR(11),
  /** The peer did not acknowledge within all retries. */
  RETRY_EXC_ERR(12),
  /** The peer had no receive posted within all retries. */
  RNR_RETRY_EXC_ERR(13),
  /** The domains of a reliable datagram differ. */
  LOC_RDD_VIOL_ERR(14),
  /** The peer says that the reliable datagram is invalid. */
  REM_INV_RD_REQ_ERR(15),
  /** The peer aborted the operation. */
  REM_ABORT_ERR(16),
  /** The end-to-end context number is invalid. */
  INV_EECN_ERR(17),
  /** The state of the end-to-end context is invalid. */
  INV_EEC_STATE_ERR(18),
  /** A fatal error of the transport. */
  FATAL_ERR(19),
  /** The peer did not respond in time. */
  RESP_TIMEOUT_ERR(20),
  /** Any other error. */
  GENERAL_ERR(21),
  /** A tag matching error. */
  TM_ERR(22),
  /** A rendezvous of tag matching is incomplete. */
  TM_RNDV_INCOMPLETE(23);

  private static final IbvWcStatus[] ALL = values();

  private final int value;

  IbvWcStatus(int value) {
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
  public static @Nullable IbvWcStatus of(int value) {
    for (IbvWcStatus each : ALL) {
      if (each.value == value) {
        return each;
      }
    }
    return null;
  }
}
