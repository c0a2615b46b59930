/*
 * What the fabric's switches do that the kernel's queueing disciplines here cannot: mark by queue
 * depth, and lose packets. Both read their parameter from the device they are attached to, so that
 * `ip link` alone changes it while traffic flows:
 *
 *   txqueuelen  bytes of backlog above which section "ecn" marks; tbf has its own limit and ignores it
 *   group       packets of a million that section "loss" drops
 *
 * switch.bpf.o is this file as built by `fabric build-bpf`; it is committed so that a run needs no compiler.
 * The field offsets are relocated by libbpf against the running kernel (6.2 or newer, with BTF).
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

#define SEC(name) __attribute__((section(name), used))
#define PASS_ON (-1) /* TC_ACT_UNSPEC: the next filter decides */
#define DROP 2       /* TC_ACT_SHOT */
#define MILLION 1000000
#define NET_ORDER(x) __builtin_bswap16(x)
#define ETH_BYTES 14

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)
struct gnet_stats_queue {
  u32 backlog;
};
struct Qdisc {
  struct gnet_stats_queue qstats;
};
struct net_device {
  struct Qdisc *qdisc;
  u32 tx_queue_len;
  u32 group;
};
struct sk_buff {
  struct net_device *dev;
};
#pragma clang attribute pop

/* The first fields of the kernel's context of a tc program, as its ABI fixes them. */
struct __sk_buff {
  u32 len, pkt_type, mark, queue_mapping, protocol;
};

static u32 (*const prandom)(void) = (void *)7;
static long (*const load_bytes)(const void *skb, u32 offset, void *to, u32 len) = (void *)26;
static long (*const set_ce)(struct __sk_buff *skb) = (void *)97;
extern void *bpf_cast_to_kern_ctx(void *) SEC(".ksyms");

SEC("ecn") int mark_deep_queue(struct __sk_buff *packet) {
  struct sk_buff *skb = bpf_cast_to_kern_ctx(packet);
  if (skb->dev->qdisc->qstats.backlog > skb->dev->tx_queue_len)
    set_ce(packet); /* does nothing to a packet that is not ECN-capable */
  return PASS_ON;
}

/* ARP and neighbour discovery survive: a black hole that hosts learn of through them is not silent. */
static int finds_neighbours(struct __sk_buff *packet) {
  u8 next = 0, type = 0;
  if (packet->protocol == NET_ORDER(0x0800)) return 0;
  if (packet->protocol != NET_ORDER(0x86dd)) return 1;
  load_bytes(packet, ETH_BYTES + 6, &next, 1);
  load_bytes(packet, ETH_BYTES + 40, &type, 1);
  return next == 58 && type >= 133 && type <= 137;
}

SEC("loss") int lose(struct __sk_buff *packet) {
  struct sk_buff *skb = bpf_cast_to_kern_ctx(packet);
  if (prandom() % MILLION >= skb->dev->group || finds_neighbours(packet)) return PASS_ON;
  return DROP;
}

char licence[] SEC("license") = "Dual MIT/GPL";
