package io.maestro.verbs.ffi.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Set;

/**
 * The system's {@code libibverbs} and {@code librdmacm}. Once loaded they stay, as their drivers
 * keep state. Any thread.
 */
@SuppressWarnings("restricted") // the package that may make downcalls
public final class RdmaLibraries {
  private static final String VERBS = "libibverbs.so.1";
  private static final String CONNECTION_MANAGER = "librdmacm.so.1";
  private static final Set<String> MACHINES = Set.of("amd64", "aarch64");
  private static final String CURE =
      "install rdma-core (Debian, Ubuntu: apt-get install ibverbs-providers librdmacm1)";

  private final DeviceFunctions devices;
  private final SymbolLookup connectionManager;

  private RdmaLibraries(SymbolLookup verbs, SymbolLookup connectionManager)
      throws RdmaUnavailableException {
    this.devices = new DeviceFunctions(verbs);
    this.connectionManager = connectionManager;
  }

  /**
   * Loads the libraries that the system's loader finds.
   *
   * @throws RdmaUnavailableException when one is missing or too old, native access is denied to
   *     this library, or the machine is not a 64-bit Linux; {@code getCause()} tells what failed
   */
  public static RdmaLibraries load() throws RdmaUnavailableException {
    requireKnownMachine();
    return new RdmaLibraries(open(VERBS), open(CONNECTION_MANAGER));
  }

  /**
   * Loads libraries from files.
   *
   * @throws RdmaUnavailableException as {@link #load()} does
   */
  public static RdmaLibraries load(Path verbs, Path connectionManager)
      throws RdmaUnavailableException {
    requireKnownMachine();
    return new RdmaLibraries(
        open(verbs.toAbsolutePath().toString()),
        open(connectionManager.toAbsolutePath().toString()));
  }

  DeviceFunctions devices() {
    return devices;
  }

  SymbolLookup connectionManager() {
    return connectionManager;
  }

  private static void requireKnownMachine() throws RdmaUnavailableException {
    String system = System.getProperty("os.name");
    String machine = System.getProperty("os.arch");
    boolean known =
        system.equals("Linux")
            && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            && MACHINES.contains(machine);
    if (!known) {
      throw new RdmaUnavailableException(
          "RDMA devices need Linux on x86-64 or aarch64, this is %s on %s"
              .formatted(system, machine));
    }
  }

  private static SymbolLookup open(String library) throws RdmaUnavailableException {
    try {
      return SymbolLookup.libraryLookup(library, Arena.global());
    } catch (IllegalCallerException e) {
      throw new RdmaUnavailableException(
          "native access is denied: start the JVM with --enable-native-access=ALL-UNNAMED", e);
    } catch (IllegalArgumentException | LinkageError e) {
      throw new RdmaUnavailableException("cannot load %s: %s".formatted(library, CURE), e);
    }
  }
}
