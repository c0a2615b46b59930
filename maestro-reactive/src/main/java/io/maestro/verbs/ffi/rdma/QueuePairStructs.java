package io.maestro.verbs.ffi.rdma;

import static io.maestro.verbs.ffi.rdma.CStruct.nested;
import static io.maestro.verbs.ffi.rdma.CStruct.pointer;
import static io.maestro.verbs.ffi.rdma.CStruct.u16;
import static io.maestro.verbs.ffi.rdma.CStruct.u32;
import static io.maestro.verbs.ffi.rdma.CStruct.u64;
import static io.maestro.verbs.ffi.rdma.CStruct.u8;

import java.lang.foreign.MemoryLayout;
import java.util.List;

/** Queue pairs, work requests and completions: {@code infiniband/verbs.h}. */
final class QueuePairStructs {

  static final CStruct QP_CAP =
      CStruct.of(
          "ibv_qp_cap",
          u32("max_send_wr"),
          u32("max_recv_wr"),
          u32("max_send_sge"),
          u32("max_recv_sge"),
          u32("max_inline_data"));

  static final CStruct QP_INIT_ATTR =
      CStruct.of(
          "ibv_qp_init_attr",
          pointer("qp_context"),
          pointer("send_cq"),
          pointer("recv_cq"),
          pointer("srq"),
          QP_CAP.as("cap"),
          u32("qp_type"),
          u32("sq_sig_all"));

  private static final CStruct GLOBAL_ROUTE =
      CStruct.of(
          "ibv_global_route",
          nested("dgid", nested("global", u64("subnet_prefix"), u64("interface_id"))),
          u32("flow_label"),
          u8("sgid_index"),
          u8("hop_limit"),
          u8("traffic_class"));

  static final CStruct AH_ATTR =
      CStruct.of(
          "ibv_ah_attr",
          GLOBAL_ROUTE.as("grh"),
          u16("dlid"),
          u8("sl"),
          u8("src_path_bits"),
          u8("static_rate"),
          u8("is_global"),
          u8("port_num"));

  static final CStruct QP_ATTR =
      CStruct.of(
          "ibv_qp_attr",
          u32("qp_state"),
          u32("cur_qp_state"),
          u32("path_mtu"),
          u32("path_mig_state"),
          u32("qkey"),
          u32("rq_psn"),
          u32("sq_psn"),
          u32("dest_qp_num"),
          u32("qp_access_flags"),
          QP_CAP.as("cap"),
          AH_ATTR.as("ah_attr"),
          AH_ATTR.as("alt_ah_attr"),
          u16("pkey_index"),
          u16("alt_pkey_index"),
          u8("en_sqd_async_notify"),
          u8("sq_draining"),
          u8("max_rd_atomic"),
          u8("max_dest_rd_atomic"),
          u8("min_rnr_timer"),
          u8("port_num"),
          u8("timeout"),
          u8("retry_cnt"),
          u8("rnr_retry"),
          u8("alt_port_num"),
          u8("alt_timeout"),
          u32("rate_limit"));

  static final CStruct QP =
      CStruct.beginningOf(
          "ibv_qp",
          pointer("context"),
          pointer("qp_context"),
          pointer("pd"),
          pointer("send_cq"),
          pointer("recv_cq"),
          pointer("srq"),
          u32("handle"),
          u32("qp_num"),
          u32("state"),
          u32("qp_type"));

  static final CStruct SGE = CStruct.of("ibv_sge", u64("addr"), u32("length"), u32("lkey"));

  static final CStruct RECV_WR =
      CStruct.of("ibv_recv_wr", u64("wr_id"), pointer("next"), pointer("sg_list"), u32("num_sge"));

  static final CStruct SEND_WR =
      CStruct.of(
          "ibv_send_wr",
          u64("wr_id"),
          pointer("next"),
          pointer("sg_list"),
          u32("num_sge"),
          u32("opcode"),
          u32("send_flags"),
          u32("imm_data"),
          MemoryLayout.unionLayout(
                  nested("rdma", u64("remote_addr"), u32("rkey")),
                  nested(
                      "atomic", u64("remote_addr"), u64("compare_add"), u64("swap"), u32("rkey")))
              .withName("wr"),
          nested("qp_type", nested("xrc", u32("remote_srqn"))),
          nested(
              "bind_mw",
              pointer("mw"),
              u32("rkey"),
              nested(
                  "bind_info", pointer("mr"), u64("addr"), u64("length"), u32("mw_access_flags"))));

  static final CStruct WC =
      CStruct.of(
          "ibv_wc",
          u64("wr_id"),
          u32("status"),
          u32("opcode"),
          u32("vendor_err"),
          u32("byte_len"),
          u32("imm_data"),
          u32("qp_num"),
          u32("src_qp"),
          u32("wc_flags"),
          u16("pkey_index"),
          u16("slid"),
          u8("sl"),
          u8("dlid_path_bits"));

  private QueuePairStructs() {}

  static List<CStruct> all() {
    return List.of(
        QP_CAP, QP_INIT_ATTR, GLOBAL_ROUTE, AH_ATTR, QP_ATTR, QP, SGE, RECV_WR, SEND_WR, WC);
  }
}
