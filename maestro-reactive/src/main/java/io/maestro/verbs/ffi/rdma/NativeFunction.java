package io.maestro.verbs.ffi.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A function of a library, for what is set up and taken down: its calls allocate. Any thread.
 *
 * <p>The libraries tell failures in three ways: null or -1 with {@code errno}, the positive {@code
 * errno} itself, or its negative. All become an {@link RdmaCallException}.
 */
@SuppressWarnings("restricted") // the package that may make downcalls
final class NativeFunction {
  private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
  private static final long ERRNO =
      CAPTURE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  private final String name;
  private final MethodHandle handle;

  private NativeFunction(String name, MethodHandle handle) {
    this.name = name;
    this.handle = handle;
  }

  /**
   * Finds one by its name in C.
   *
   * @throws RdmaUnavailableException when the library has none: it is too old
   */
  static NativeFunction find(SymbolLookup library, String name, FunctionDescriptor type)
      throws RdmaUnavailableException {
    MemorySegment function =
        library
            .find(name)
            .orElseThrow(
                () ->
                    new RdmaUnavailableException(
                        "the RDMA library has no function %s: install rdma-core 32 or newer"
                            .formatted(name)));
    return new NativeFunction(
        name,
        Linker.nativeLinker()
            .downcallHandle(function, type, Linker.Option.captureCallState("errno")));
  }

  /** Calls one that returns 0 when it succeeds. */
  void check(Object... arguments) throws RdmaCallException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      int returned = (int) invoke(state, arguments);
      if (returned != 0) {
        throw new RdmaCallException(name, errorOf(returned, state));
      }
    }
  }

  /** Calls one that returns how many, or a negative number when it fails. */
  long count(Object... arguments) throws RdmaCallException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      long returned = (long) invoke(state, arguments);
      if (returned < 0) {
        throw new RdmaCallException(name, errorOf((int) returned, state));
      }
      return returned;
    }
  }

  /** Calls one that returns null when it fails. */
  MemorySegment pointer(Object... arguments) throws RdmaCallException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(CAPTURE);
      MemorySegment returned = (MemorySegment) invoke(state, arguments);
      if (returned.equals(MemorySegment.NULL)) {
        throw new RdmaCallException(name, errorOf(-1, state));
      }
      return returned;
    }
  }

  /** Calls one that returns nothing. */
  void run(Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      Object nothing = invokeOrNull(arena.allocate(CAPTURE), arguments);
      assert nothing == null : name + " returns something";
    }
  }

  private Object invoke(MemorySegment state, Object... arguments) {
    Object returned = invokeOrNull(state, arguments);
    if (returned == null) {
      throw new IllegalStateException(name + " returned nothing");
    }
    return returned;
  }

  private @Nullable Object invokeOrNull(MemorySegment state, Object... arguments) {
    try {
      return handle.invokeWithArguments(
          Stream.concat(Stream.of(state), Arrays.stream(arguments)).toList());
    } catch (Throwable e) {
      throw new IllegalStateException(name + " cannot throw", e);
    }
  }

  private static int errorOf(int returned, MemorySegment state) {
    int errno = state.get(ValueLayout.JAVA_INT, ERRNO);
    if (returned == -1) {
      return errno == 0 ? RdmaCallException.IO_ERROR : errno;
    }
    return Math.abs(returned);
  }
}
