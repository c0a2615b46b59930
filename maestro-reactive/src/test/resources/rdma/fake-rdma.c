/* Stands for libibverbs and librdmacm in tests: devices as fake_plan() says. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <infiniband/verbs.h>

#undef ibv_query_port

enum plan { DEVICES, OPEN_ERRNO, PORT_STATE, ACTIVE_MTU, LIST_ERRNO, QUERY_RESULT, QUERY_ERRNO, PLANS };

static int plans[PLANS];
static int opened;
static int lists;
static struct ibv_device devices[2];
static struct ibv_context contexts[2];

void fake_plan(int what, int value) { plans[what] = value; }
int fake_open_devices(void) { return opened; }
int fake_open_lists(void) { return lists; }

struct ibv_device **ibv_get_device_list(int *count) {
  if (plans[LIST_ERRNO]) {
    errno = plans[LIST_ERRNO];
    return NULL;
  }
  struct ibv_device **list = calloc(3, sizeof *list);
  for (int i = 0; i < plans[DEVICES]; i++) {
    strcpy(devices[i].name, i == 0 ? "fake_0" : "fake_1");
    list[i] = &devices[i];
  }
  *count = plans[DEVICES];
  lists++;
  return list;
}

void ibv_free_device_list(struct ibv_device **list) {
  lists--;
  free(list);
}

struct ibv_context *ibv_open_device(struct ibv_device *device) {
  if (plans[OPEN_ERRNO]) {
    errno = plans[OPEN_ERRNO];
    return NULL;
  }
  opened++;
  struct ibv_context *context = &contexts[device - devices];
  context->device = device;
  return context;
}

int ibv_close_device(struct ibv_context *context) {
  (void)context;
  opened--;
  return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attributes) {
  (void)context;
  if (plans[QUERY_RESULT]) {
    errno = plans[QUERY_ERRNO];
    return plans[QUERY_RESULT];
  }
  memset(attributes, 0, sizeof *attributes);
  strcpy(attributes->fw_ver, "1.2.3");
  attributes->phys_port_cnt = 2;
  return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *into) {
  struct ibv_port_attr *attributes = (struct ibv_port_attr *)into;
  (void)context;
  attributes->state = port == 1 ? (enum ibv_port_state)plans[PORT_STATE] : IBV_PORT_DOWN;
  attributes->active_mtu = (enum ibv_mtu)plans[ACTIVE_MTU];
  attributes->gid_tbl_len = 8;
  attributes->link_layer = IBV_LINK_LAYER_ETHERNET;
  return 0;
}

static void gid(struct ibv_gid_entry *entry, uint32_t port, uint32_t index, uint32_t type) {
  memset(entry, 0, sizeof *entry);
  entry->gid.raw[10] = entry->gid.raw[11] = 0xff;
  entry->gid.raw[12] = 10;
  entry->gid.raw[14] = (uint8_t)port;
  entry->gid.raw[15] = (uint8_t)index;
  entry->gid_index = index;
  entry->port_num = port;
  entry->gid_type = type;
}

/* A table with holes, and each address once for RoCE v1 and once for v2. */
ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t max,
                             uint32_t flags, size_t size) {
  (void)context;
  if (flags || size != sizeof *entries || max < 4) {
    return -EINVAL;
  }
  gid(&entries[0], 1, 1, IBV_GID_TYPE_ROCE_V1);
  gid(&entries[1], 1, 5, IBV_GID_TYPE_ROCE_V2);
  entries[1].gid.raw[15] = 1;
  gid(&entries[2], 1, 6, IBV_GID_TYPE_ROCE_V2);
  gid(&entries[3], 2, 5, IBV_GID_TYPE_ROCE_V2);
  return 4;
}
