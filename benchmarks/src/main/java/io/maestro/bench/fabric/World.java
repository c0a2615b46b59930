package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.NodeProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs ranks of ours and of others, one for each address, and reads what they print. */
final class World {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final int firstPort;
  private int ports;

  World(int firstPort) {
    this.firstPort = firstPort;
  }

  /**
   * What all ranks do.
   *
   * @param bytes of the region that is reduced, or of each bucket
   * @param warm calls before those that are measured
   * @param count calls that are measured
   */
  record Work(List<Long> bytes, int warm, int count) {

    static Work of(long bytes, int warm, int count) {
      return new Work(List.of(bytes), warm, count);
    }

    /** As programs of ranks take them. */
    String sizes() {
      return bytes.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
  }

  /** Times of a kind of call in microseconds, as rank 0 saw them. */
  record Times(double p50, double p99, double mean) {}

  /** Starts a program for a rank. */
  @FunctionalInterface
  interface Starter {
    NodeProcess start(int rank, List<String> command);
  }

  /** What rank 0 prints. */
  @FunctionalInterface
  interface Measurement {
    List<String> run() throws InterruptedException;
  }

  /** On this machine, all on loopback. */
  static final Starter HERE = (rank, command) -> NodeProcess.start(command);

  /** In a fabric, rank 0 on host1. */
  static Starter in(Fabric fabric) {
    return (rank, command) -> fabric.start("host" + (rank + 1), command.toArray(String[]::new));
  }

  /**
   * How our ranks are set up.
   *
   * @param addresses of each rank, with commas between them
   */
  record Maestros(List<String> addresses, int paths, String delivery, String routes) {}

  List<String> maestro(Starter starter, Maestros ranks, Work work) throws InterruptedException {
    int port = nextPort(ranks.addresses().size());
    List<NodeProcess> processes = new ArrayList<>();
    for (int rank = 0; rank < ranks.addresses().size(); rank++) {
      List<Object> arguments = new ArrayList<>(List.of(rank, work.sizes(), work.warm()));
      arguments.addAll(
          List.of(work.count(), ranks.paths(), ranks.delivery(), ranks.routes(), port));
      arguments.addAll(ranks.addresses());
      processes.add(starter.start(rank, Fabric.javaCommand(Rank.class, arguments.toArray())));
    }
    return output(processes);
  }

  /**
   * Gloo's ranks.
   *
   * @param nic the interface that they use
   * @param first address of rank 0
   */
  List<String> gloo(Starter starter, String nic, String first, int size, Work work)
      throws InterruptedException {
    int port = nextPort(1);
    List<NodeProcess> processes = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      List<Object> command = new ArrayList<>(List.of("env", "GLOO_SOCKET_IFNAME=" + nic));
      command.addAll(List.of("/usr/bin/python3", "benchmarks/peers/gloo.py"));
      command.addAll(List.of(rank, size, first, port, work.sizes(), work.warm(), work.count()));
      processes.add(starter.start(rank, command.stream().map(String::valueOf).toList()));
    }
    return output(processes);
  }

  /** What rank 0 prints, once all have ended. */
  private static List<String> output(List<NodeProcess> processes) throws InterruptedException {
    try {
      for (NodeProcess process : processes) {
        process.awaitSuccess(LIMIT);
      }
      return processes.getFirst().output();
    } finally {
      processes.forEach(NodeProcess::close);
    }
  }

  /** Ports that are left alone after a run are not taken again. */
  private int nextPort(int count) {
    int port = firstPort + ports;
    ports += count;
    return port;
  }

  /** The first addresses of each host, with commas between them. */
  static List<String> addresses(Fabric fabric, int hosts, int aliases) {
    return IntStream.rangeClosed(1, hosts)
        .mapToObj(
            host ->
                IntStream.rangeClosed(1, aliases)
                    .mapToObj(alias -> fabric.address(host, alias).getHostAddress())
                    .collect(Collectors.joining(",")))
        .toList();
  }

  /** Says who could not be measured for want of a package. */
  static void sayAbsent(@Nullable Mpi mpi) {
    if (!Torch.isInstalled()) {
      System.out.println("gloo was not measured: apt-get install python3-torch");
    }
    if (mpi == null) {
      System.out.println("openmpi was not measured: apt-get install openmpi-bin libopenmpi-dev");
    }
  }

  static Times times(List<String> output, String what) {
    String line =
        output.stream().filter(l -> l.startsWith(what + " p50 ")).findFirst().orElseThrow();
    List<Double> numbers =
        Stream.of(line.split(" ", -1))
            .filter(word -> word.matches("[\\d.]+"))
            .map(word -> Double.valueOf(word.toLowerCase(Locale.ROOT)))
            .toList();
    return new Times(numbers.get(0), numbers.get(1), numbers.get(2));
  }
}
