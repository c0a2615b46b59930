package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.NodeProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** OpenMPI over TCP with ranks that yield while they wait, as they must on few processors. */
final class Mpi implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Path program;

  private Mpi(Path program) {
    this.program = program;
  }

  static boolean isInstalled() {
    return Peers.has("mpirun") && Peers.has("mpicc");
  }

  /** Builds the program of a rank. */
  static Mpi build() throws IOException, InterruptedException {
    Path program = Files.createTempDirectory("maestro-mpi").resolve("mpi");
    try (NodeProcess compiler =
        NodeProcess.start(
            List.of("mpicc", "-O2", "-o", program.toString(), "benchmarks/peers/mpi.c"))) {
      compiler.awaitSuccess(LIMIT);
    }
    return new Mpi(program);
  }

  /** Ranks on this machine. */
  List<String> here(int size, World.Work work) throws InterruptedException {
    List<String> command = command(size, "lo");
    command.addAll(rank(work));
    try (NodeProcess run = NodeProcess.start(command)) {
      return run.awaitSuccess(LIMIT);
    }
  }

  /** A rank on each host of a fabric, which has its name as on machines of their own. */
  List<String> in(Fabric fabric, int size, World.Work work) throws InterruptedException {
    List<String> command = command(size, "eth0");
    command.addAll(List.of("--mca", "oob_tcp_if_include", "eth0"));
    command.addAll(List.of("--mca", "plm_rsh_agent", agent(fabric).toString()));
    String hosts =
        IntStream.rangeClosed(1, size)
            .mapToObj(host -> "host" + host + ":1")
            .collect(Collectors.joining(","));
    command.addAll(List.of("--host", hosts));
    command.addAll(rank(work));
    String named = "hostname host1 && exec " + String.join(" ", command);
    try (NodeProcess run = fabric.start("host1", "unshare", "--uts", "sh", "-c", named)) {
      return run.awaitSuccess(LIMIT);
    }
  }

  /** What OpenMPI runs instead of ssh. */
  private Path agent(Fabric fabric) {
    String script =
        """
        #!/bin/sh
        host=$1
        shift
        exec %s -p %s exec "$host" unshare --uts sh -c "hostname $host && $*"
        """
            .formatted(Fabric.command(), fabric.name());
    try {
      Path file = program.resolveSibling("agent");
      Files.writeString(file, script);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> command(int size, String nic) {
    List<String> command = new ArrayList<>(List.of("mpirun", "--allow-run-as-root"));
    command.addAll(List.of("--oversubscribe", "--bind-to", "none", "-n", "" + size));
    command.addAll(List.of("--mca", "btl_tcp_if_include", nic));
    command.addAll(List.of("--mca", "pml", "ob1", "--mca", "btl", "tcp,self"));
    command.addAll(List.of("--mca", "mpi_yield_when_idle", "1"));
    return command;
  }

  private List<String> rank(World.Work work) {
    return List.of(program.toString(), work.sizes(), "" + work.warm(), "" + work.count());
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(program);
    Files.deleteIfExists(program.resolveSibling("agent"));
    Files.deleteIfExists(program.getParent());
  }
}
