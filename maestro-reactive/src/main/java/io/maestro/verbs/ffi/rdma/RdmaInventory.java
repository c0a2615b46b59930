package io.maestro.verbs.ffi.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Which RDMA devices this machine has, with their ports and addresses. */
@SuppressWarnings("restricted") // the package that may make downcalls
public final class RdmaInventory {
  private static final int NO_FLAGS = 0;

  private final DeviceFunctions functions;

  /** An inventory through loaded libraries. */
  public RdmaInventory(RdmaLibraries libraries) {
    this.functions = libraries.devices();
  }

  /**
   * Opens, asks and closes every device; takes milliseconds for each. Any thread.
   *
   * @return all devices, also those that this user may not open
   * @throws RdmaCallException when the kernel has no RDMA subsystem, or the list cannot be read
   */
  public List<RdmaDevice> read() throws RdmaCallException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment list = functions.getDeviceList.pointer(count);
      try {
        int devices = count.get(ValueLayout.JAVA_INT, 0);
        MemorySegment all = list.reinterpret(devices * ValueLayout.ADDRESS.byteSize());
        List<RdmaDevice> result = new ArrayList<>();
        for (int i = 0; i < devices; i++) {
          result.add(describe(all.getAtIndex(ValueLayout.ADDRESS, i)));
        }
        return result;
      } finally {
        functions.freeDeviceList.run(list);
      }
    }
  }

  /** All devices in one line, for the message of an error. */
  public static String summary(List<RdmaDevice> devices) {
    if (devices.isEmpty()) {
      return "no devices";
    }
    return devices.stream()
        .map(
            device ->
                device.ports().stream()
                    .flatMap(port -> port.gids().stream())
                    .map(gid -> gid.address().getHostAddress())
                    .distinct()
                    .collect(Collectors.joining(", ", device.name() + " (", ")")))
        .collect(Collectors.joining("; "));
  }

  private RdmaDevice describe(MemorySegment device) {
    MemorySegment known = device.reinterpret(DeviceStructs.DEVICE.size());
    String name = known.getString(DeviceStructs.DEVICE.offset("name"));
    try {
      MemorySegment context = functions.openDevice.pointer(device);
      try {
        return ask(name, context);
      } finally {
        functions.closeDevice.check(context);
      }
    } catch (RdmaCallException e) {
      return new RdmaDevice(name, "", List.of(), e);
    }
  }

  private RdmaDevice ask(String name, MemorySegment context) throws RdmaCallException {
    try (Arena arena = Arena.ofConfined()) {
      CStruct struct = DeviceStructs.DEVICE_ATTR;
      MemorySegment attributes = arena.allocate(struct.layout());
      functions.queryDevice.check(context, attributes);
      int count =
          Byte.toUnsignedInt(attributes.get(ValueLayout.JAVA_BYTE, struct.offset("phys_port_cnt")));
      List<RdmaPort> ports = new ArrayList<>();
      for (int number = 1; number <= count; number++) {
        ports.add(port(context, number, arena));
      }
      return new RdmaDevice(name, attributes.getString(struct.offset("fw_ver")), ports, null);
    }
  }

  private RdmaPort port(MemorySegment context, int number, Arena arena) throws RdmaCallException {
    CStruct struct = DeviceStructs.PORT_ATTR;
    MemorySegment attributes = arena.allocate(struct.layout());
    functions.queryPort.check(context, (byte) number, attributes);
    int entries = attributes.get(ValueLayout.JAVA_INT, struct.offset("gid_tbl_len"));
    return new RdmaPort(
        number,
        IbvPortState.of(attributes.get(ValueLayout.JAVA_INT, struct.offset("state"))),
        IbvLinkLayer.of(attributes.get(ValueLayout.JAVA_BYTE, struct.offset("link_layer"))),
        IbvMtu.of(attributes.get(ValueLayout.JAVA_INT, struct.offset("active_mtu"))),
        gids(context, number, entries, arena));
  }

  /** The table is of the whole device: what is asked for must have room for all of its ports. */
  private List<RdmaGid> gids(MemorySegment context, int port, int entries, Arena arena)
      throws RdmaCallException {
    CStruct struct = DeviceStructs.GID_ENTRY;
    long room = Math.max(1, entries) * (long) Math.max(1, port);
    MemorySegment table = arena.allocate(room * struct.size(), Long.BYTES);
    long count = functions.queryGidTable.count(context, table, room, NO_FLAGS, struct.size());
    List<RdmaGid> gids = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      RdmaGid gid = gid(table.asSlice(i * struct.size(), struct.size()));
      if (gid.port() == port) {
        gids.add(gid);
      }
    }
    return gids;
  }

  private static RdmaGid gid(MemorySegment entry) {
    CStruct struct = DeviceStructs.GID_ENTRY;
    byte[] raw = entry.asSlice(0, struct.offset("gid_index")).toArray(ValueLayout.JAVA_BYTE);
    try {
      return new RdmaGid(
          entry.get(ValueLayout.JAVA_INT, struct.offset("port_num")),
          entry.get(ValueLayout.JAVA_INT, struct.offset("gid_index")),
          IbvGidType.of(entry.get(ValueLayout.JAVA_INT, struct.offset("gid_type"))),
          // An IPv4-mapped GID becomes the IPv4 address.
          InetAddress.getByAddress(raw));
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
