package io.maestro.verbs.ffi.rdma;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;

/** A library of C, compiled here, that behaves as a test plans. */
@SuppressWarnings("restricted") // it calls what it has compiled
final class FakeRdma {

  /** What can be planned; in the order of the library's {@code enum plan}. */
  enum Plan {
    DEVICES(0),
    OPEN_ERRNO(1),
    PORT_STATE(2),
    ACTIVE_MTU(3),
    LIST_ERRNO(4),
    QUERY_RESULT(5),
    QUERY_ERRNO(6);

    private final int number;

    Plan(int number) {
      this.number = number;
    }
  }

  private final Path file;
  private final SymbolLookup library;

  private FakeRdma(Path file) {
    this.file = file;
    this.library = SymbolLookup.libraryLookup(file, Arena.global());
  }

  static FakeRdma compile(Path folder) throws IOException, InterruptedException {
    CProgram.requireHeaders();
    Path source = folder.resolve("fake-rdma.c");
    try (InputStream text = FakeRdma.class.getResourceAsStream("/rdma/fake-rdma.c")) {
      Files.copy(text, source);
    }
    Path file = folder.resolve("libfakerdma.so");
    CProgram.compile(source, file, "-shared", "-fPIC");
    return new FakeRdma(file);
  }

  Path file() {
    return file;
  }

  RdmaLibraries libraries() throws RdmaUnavailableException {
    return RdmaLibraries.load(file, file);
  }

  FakeRdma plan(Plan what, int value) {
    try {
      handle("fake_plan", FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT)).invoke(what.number, value);
      return this;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  int openDevices() {
    return count("fake_open_devices");
  }

  int openLists() {
    return count("fake_open_lists");
  }

  private int count(String function) {
    try {
      return (int) handle(function, FunctionDescriptor.of(JAVA_INT)).invoke();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private MethodHandle handle(String function, FunctionDescriptor type) {
    return Linker.nativeLinker().downcallHandle(library.find(function).orElseThrow(), type);
  }
}
