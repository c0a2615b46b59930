package io.maestro.verbs.ffi.rdma;

import static io.maestro.verbs.ffi.rdma.CStruct.bytes;
import static io.maestro.verbs.ffi.rdma.CStruct.nested;
import static io.maestro.verbs.ffi.rdma.CStruct.pointer;
import static io.maestro.verbs.ffi.rdma.CStruct.u16;
import static io.maestro.verbs.ffi.rdma.CStruct.u32;
import static io.maestro.verbs.ffi.rdma.CStruct.u64;
import static io.maestro.verbs.ffi.rdma.CStruct.u8;

import java.util.List;

/** Devices, their ports and what is allocated on them: {@code infiniband/verbs.h}. */
final class DeviceStructs {
  private static final int NAME_BYTES = 64;
  private static final int PATH_BYTES = 256;

  static final CStruct DEVICE =
      CStruct.of(
          "ibv_device",
          nested("_ops", pointer("_dummy1"), pointer("_dummy2")),
          u32("node_type"),
          u32("transport_type"),
          bytes("name", NAME_BYTES),
          bytes("dev_name", NAME_BYTES),
          bytes("dev_path", PATH_BYTES),
          bytes("ibdev_path", PATH_BYTES));

  /** What the header calls inline, through pointers of the device's driver. */
  private static final CStruct OPERATIONS =
      CStruct.of(
          "ibv_context_ops",
          pointer("_compat_query_device"),
          pointer("_compat_query_port"),
          pointer("_compat_alloc_pd"),
          pointer("_compat_dealloc_pd"),
          pointer("_compat_reg_mr"),
          pointer("_compat_rereg_mr"),
          pointer("_compat_dereg_mr"),
          pointer("alloc_mw"),
          pointer("bind_mw"),
          pointer("dealloc_mw"),
          pointer("_compat_create_cq"),
          pointer("poll_cq"),
          pointer("req_notify_cq"),
          pointer("_compat_cq_event"),
          pointer("_compat_resize_cq"),
          pointer("_compat_destroy_cq"),
          pointer("_compat_create_srq"),
          pointer("_compat_modify_srq"),
          pointer("_compat_query_srq"),
          pointer("_compat_destroy_srq"),
          pointer("post_srq_recv"),
          pointer("_compat_create_qp"),
          pointer("_compat_query_qp"),
          pointer("_compat_modify_qp"),
          pointer("_compat_destroy_qp"),
          pointer("post_send"),
          pointer("post_recv"),
          pointer("_compat_create_ah"),
          pointer("_compat_destroy_ah"),
          pointer("_compat_attach_mcast"),
          pointer("_compat_detach_mcast"),
          pointer("_compat_async_event"));

  static final CStruct CONTEXT =
      CStruct.beginningOf(
          "ibv_context",
          pointer("device"),
          OPERATIONS.as("ops"),
          u32("cmd_fd"),
          u32("async_fd"),
          u32("num_comp_vectors"));

  static final CStruct DEVICE_ATTR =
      CStruct.of(
          "ibv_device_attr",
          bytes("fw_ver", NAME_BYTES),
          u64("node_guid"),
          u64("sys_image_guid"),
          u64("max_mr_size"),
          u64("page_size_cap"),
          u32("vendor_id"),
          u32("vendor_part_id"),
          u32("hw_ver"),
          u32("max_qp"),
          u32("max_qp_wr"),
          u32("device_cap_flags"),
          u32("max_sge"),
          u32("max_sge_rd"),
          u32("max_cq"),
          u32("max_cqe"),
          u32("max_mr"),
          u32("max_pd"),
          u32("max_qp_rd_atom"),
          u32("max_ee_rd_atom"),
          u32("max_res_rd_atom"),
          u32("max_qp_init_rd_atom"),
          u32("max_ee_init_rd_atom"),
          u32("atomic_cap"),
          u32("max_ee"),
          u32("max_rdd"),
          u32("max_mw"),
          u32("max_raw_ipv6_qp"),
          u32("max_raw_ethy_qp"),
          u32("max_mcast_grp"),
          u32("max_mcast_qp_attach"),
          u32("max_total_mcast_qp_attach"),
          u32("max_ah"),
          u32("max_fmr"),
          u32("max_map_per_fmr"),
          u32("max_srq"),
          u32("max_srq_wr"),
          u32("max_srq_sge"),
          u16("max_pkeys"),
          u8("local_ca_ack_delay"),
          u8("phys_port_cnt"));

  /** Without what later versions of the library append. */
  static final CStruct PORT_ATTR =
      CStruct.beginningOf(
          "ibv_port_attr",
          u32("state"),
          u32("max_mtu"),
          u32("active_mtu"),
          u32("gid_tbl_len"),
          u32("port_cap_flags"),
          u32("max_msg_sz"),
          u32("bad_pkey_cntr"),
          u32("qkey_viol_cntr"),
          u16("pkey_tbl_len"),
          u16("lid"),
          u16("sm_lid"),
          u8("lmc"),
          u8("max_vl_num"),
          u8("sm_sl"),
          u8("subnet_timeout"),
          u8("init_type_reply"),
          u8("active_width"),
          u8("active_speed"),
          u8("phys_state"),
          u8("link_layer"),
          u8("flags"),
          u16("port_cap_flags2"));

  static final CStruct GID_ENTRY =
      CStruct.of(
          "ibv_gid_entry",
          // A union of bytes and two 64-bit words.
          nested("gid", nested("global", u64("subnet_prefix"), u64("interface_id"))),
          u32("gid_index"),
          u32("port_num"),
          u32("gid_type"),
          u32("ndev_ifindex"));

  static final CStruct PD = CStruct.of("ibv_pd", pointer("context"), u32("handle"));

  static final CStruct MR =
      CStruct.of(
          "ibv_mr",
          pointer("context"),
          pointer("pd"),
          pointer("addr"),
          u64("length"),
          u32("handle"),
          u32("lkey"),
          u32("rkey"));

  static final CStruct COMP_CHANNEL =
      CStruct.of("ibv_comp_channel", pointer("context"), u32("fd"), u32("refcnt"));

  static final CStruct CQ =
      CStruct.beginningOf(
          "ibv_cq",
          pointer("context"),
          pointer("channel"),
          pointer("cq_context"),
          u32("handle"),
          u32("cqe"));

  static final CStruct ASYNC_EVENT =
      CStruct.of("ibv_async_event", nested("element", pointer("qp")), u32("event_type"));

  private DeviceStructs() {}

  static List<CStruct> all() {
    return List.of(
        DEVICE,
        OPERATIONS,
        CONTEXT,
        DEVICE_ATTR,
        PORT_ATTR,
        GID_ENTRY,
        PD,
        MR,
        COMP_CHANNEL,
        CQ,
        ASYNC_EVENT);
  }
}
