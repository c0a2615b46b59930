package io.maestro.verbs.ffi.rdma;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.SymbolLookup;

/** What {@code libibverbs} tells of devices. */
final class DeviceFunctions {
  final NativeFunction getDeviceList;
  final NativeFunction freeDeviceList;
  final NativeFunction openDevice;
  final NativeFunction closeDevice;
  final NativeFunction queryDevice;
  final NativeFunction queryPort;
  final NativeFunction queryGidTable;

  DeviceFunctions(SymbolLookup verbs) throws RdmaUnavailableException {
    FunctionDescriptor pointerOfPointer = FunctionDescriptor.of(ADDRESS, ADDRESS);
    getDeviceList = NativeFunction.find(verbs, "ibv_get_device_list", pointerOfPointer);
    freeDeviceList =
        NativeFunction.find(verbs, "ibv_free_device_list", FunctionDescriptor.ofVoid(ADDRESS));
    openDevice = NativeFunction.find(verbs, "ibv_open_device", pointerOfPointer);
    closeDevice =
        NativeFunction.find(verbs, "ibv_close_device", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    queryDevice =
        NativeFunction.find(
            verbs, "ibv_query_device", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    queryPort =
        NativeFunction.find(
            verbs, "ibv_query_port", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_BYTE, ADDRESS));
    // ibv_query_gid_table is inline in the header and calls this, with the size of an entry.
    queryGidTable =
        NativeFunction.find(
            verbs,
            "_ibv_query_gid_table",
            FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_LONG));
  }
}
