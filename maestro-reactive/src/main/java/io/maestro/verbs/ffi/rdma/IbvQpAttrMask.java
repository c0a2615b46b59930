package io.maestro.verbs.ffi.rdma;

/** Which attributes of a queue pair are meant ({@code enum ibv_qp_attr_mask}). */
public enum IbvQpAttrMask implements CConstant {
  /** The state. */
  STATE(1 << 0),
  /** The state that it is assumed to be in. */
  CUR_STATE(1 << 1),
  /** What peers may do. */
  ACCESS_FLAGS(1 << 3),
  /** The partition key. */
  PKEY_INDEX(1 << 4),
  /** The port. */
  PORT(1 << 5),
  /** The address vector: GID, hop limit, flow label. */
  AV(1 << 7),
  /** The MTU of the path. */
  PATH_MTU(1 << 8),
  /** The ACK timeout, as a power of two of 4.096 µs. */
  TIMEOUT(1 << 9),
  /** How often a packet is sent again. */
  RETRY_CNT(1 << 10),
  /** How often a message is tried again that met no receive; 7 is for ever. */
  RNR_RETRY(1 << 11),
  /** The first packet number expected. */
  RQ_PSN(1 << 12),
  /** READs outstanding from here. */
  MAX_QP_RD_ATOMIC(1 << 13),
  /** How long a peer waits that met no receive. */
  MIN_RNR_TIMER(1 << 15),
  /** The first packet number sent. */
  SQ_PSN(1 << 16),
  /** READs outstanding from the peer. */
  MAX_DEST_RD_ATOMIC(1 << 17),
  /** The depths. */
  CAP(1 << 19),
  /** The number of the peer. */
  DEST_QPN(1 << 20);

  private final int value;

  IbvQpAttrMask(int value) {
    this.value = value;
  }

  @Override
  public String symbol() {
    return "IBV_QP_" + name();
  }

  @Override
  public int value() {
    return value;
  }
}
