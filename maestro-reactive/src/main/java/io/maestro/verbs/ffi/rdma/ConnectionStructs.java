package io.maestro.verbs.ffi.rdma;

import static io.maestro.verbs.ffi.rdma.CStruct.bytes;
import static io.maestro.verbs.ffi.rdma.CStruct.nested;
import static io.maestro.verbs.ffi.rdma.CStruct.pointer;
import static io.maestro.verbs.ffi.rdma.CStruct.u16;
import static io.maestro.verbs.ffi.rdma.CStruct.u32;
import static io.maestro.verbs.ffi.rdma.CStruct.u64;
import static io.maestro.verbs.ffi.rdma.CStruct.u8;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** The connection manager: {@code rdma/rdma_cma.h}. */
final class ConnectionStructs {
  /** {@code struct sockaddr_storage}. */
  private static final int STORAGE_BYTES = 128;

  static final CStruct EVENT_CHANNEL = CStruct.of("rdma_event_channel", u32("fd"));

  static final CStruct ID =
      CStruct.of(
          "rdma_cm_id",
          pointer("verbs"),
          pointer("channel"),
          pointer("context"),
          pointer("qp"),
          nested(
              "route",
              nested(
                  "addr",
                  storage("src_storage"),
                  storage("dst_storage"),
                  nested(
                      "addr",
                      nested(
                          "ibaddr",
                          nested(
                              "sgid", nested("global", u64("subnet_prefix"), u64("interface_id"))),
                          nested(
                              "dgid", nested("global", u64("subnet_prefix"), u64("interface_id"))),
                          u16("pkey")))),
              pointer("path_rec"),
              u32("num_paths")),
          u32("ps"),
          u8("port_num"),
          pointer("event"),
          pointer("send_cq_channel"),
          pointer("send_cq"),
          pointer("recv_cq_channel"),
          pointer("recv_cq"),
          pointer("srq"),
          pointer("pd"),
          u32("qp_type"));

  static final CStruct CONN_PARAM =
      CStruct.of(
          "rdma_conn_param",
          pointer("private_data"),
          u8("private_data_len"),
          u8("responder_resources"),
          u8("initiator_depth"),
          u8("flow_control"),
          u8("retry_count"),
          u8("rnr_retry_count"),
          u8("srq"),
          u32("qp_num"));

  private static final CStruct UD_PARAM =
      CStruct.of(
          "rdma_ud_param",
          pointer("private_data"),
          u8("private_data_len"),
          QueuePairStructs.AH_ATTR.as("ah_attr"),
          u32("qp_num"),
          u32("qkey"));

  static final CStruct EVENT =
      CStruct.of(
          "rdma_cm_event",
          pointer("id"),
          pointer("listen_id"),
          u32("event"),
          u32("status"),
          MemoryLayout.unionLayout(CONN_PARAM.as("conn"), UD_PARAM.as("ud")).withName("param"));

  static final CStruct ADDRINFO =
      CStruct.of(
          "rdma_addrinfo",
          u32("ai_flags"),
          u32("ai_family"),
          u32("ai_qp_type"),
          u32("ai_port_space"),
          u32("ai_src_len"),
          u32("ai_dst_len"),
          pointer("ai_src_addr"),
          pointer("ai_dst_addr"),
          pointer("ai_src_canonname"),
          pointer("ai_dst_canonname"),
          u64("ai_route_len"),
          pointer("ai_route"),
          u64("ai_connect_len"),
          pointer("ai_connect"),
          pointer("ai_next"));

  private ConnectionStructs() {}

  static List<CStruct> all() {
    return List.of(EVENT_CHANNEL, ID, CONN_PARAM, UD_PARAM, EVENT, ADDRINFO);
  }

  private static MemoryLayout storage(String member) {
    return bytes(member, STORAGE_BYTES).withByteAlignment(ValueLayout.JAVA_LONG.byteAlignment());
  }
}
