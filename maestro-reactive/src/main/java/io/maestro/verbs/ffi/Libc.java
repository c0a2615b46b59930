package io.maestro.verbs.ffi;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.Set;

/**
 * The socket calls of the C library, each of which leaves its {@code errno} in the given segment.
 * Linux on a little-endian 64-bit machine only, where these types have the same size everywhere.
 */
@SuppressWarnings("restricted") // the one package that may make downcalls
final class Libc {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
  private static final long ERRNO_OFFSET =
      CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
  private static final Set<String> MACHINES = Set.of("amd64", "aarch64");

  final MethodHandle socket = find("socket", INT, INT, INT, INT);
  final MethodHandle bind = find("bind", INT, INT, POINTER, INT);
  final MethodHandle connect = find("connect", INT, INT, POINTER, INT);
  final MethodHandle setsockopt = find("setsockopt", INT, INT, INT, INT, POINTER, INT);
  final MethodHandle getsockopt = find("getsockopt", INT, INT, INT, INT, POINTER, POINTER);
  final MethodHandle send = find("send", LONG, INT, POINTER, LONG, INT);
  final MethodHandle recvmsg = find("recvmsg", LONG, INT, POINTER, INT);
  final MethodHandle poll = find("poll", INT, POINTER, LONG, INT);
  final MethodHandle close = find("close", INT, INT);

  private static final class Holder {
    static final Optional<Libc> INSTANCE = load();
  }

  private Libc() {}

  /** Empty where the system or the JVM does not offer these calls. */
  static Optional<Libc> instance() {
    return Holder.INSTANCE;
  }

  private static Optional<Libc> load() {
    boolean known =
        System.getProperty("os.name").equals("Linux")
            && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            && MACHINES.contains(System.getProperty("os.arch"));
    if (!known) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Libc());
    } catch (RuntimeException | LinkageError denied) {
      // Native access is denied to this program, or this JDK has no linker.
      return Optional.empty();
    }
  }

  private static MethodHandle find(String name, MemoryLayout result, MemoryLayout... parameters) {
    Linker linker = Linker.nativeLinker();
    MemorySegment function =
        linker
            .defaultLookup()
            .find(name)
            .orElseThrow(() -> new UnsupportedOperationException("there is no " + name));
    return linker.downcallHandle(
        function,
        FunctionDescriptor.of(result, parameters),
        Linker.Option.captureCallState("errno"));
  }

  /** A segment for the errno of calls. */
  static MemorySegment allocateErrno(Arena arena) {
    return arena.allocate(CAPTURE);
  }

  static int errno(MemorySegment captured) {
    return captured.get(INT, ERRNO_OFFSET);
  }
}
