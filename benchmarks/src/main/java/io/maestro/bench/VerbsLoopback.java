package io.maestro.bench;

import static java.util.Objects.requireNonNull;

import io.maestro.verbs.Access;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.Listener;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.SystemClock;
import io.maestro.verbs.VerbsProvider;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * WRITEs over loopback between two devices of this process, beside iperf3 in the same run.
 *
 * <p>Arguments: {@code --chunk=51200 --seconds=3 --rounds=5 --checksum=false --iperf=true}. Prints
 * for 1, 2 and 4 queue pairs GiB/s and, in brackets, processor seconds of both ends per GiB:
 * medians of the rounds, which are interleaved.
 */
public final class VerbsLoopback {
  private static final int REGION_BYTES = 64 << 20;
  private static final int DEPTH = 64;
  private static final int[] QUEUE_PAIRS = {1, 2, 4};

  private final int chunkBytes;
  private final int seconds;
  private final boolean checksum;

  private VerbsLoopback(int chunkBytes, int seconds, boolean checksum) {
    this.chunkBytes = chunkBytes;
    this.seconds = seconds;
    this.checksum = checksum;
  }

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws Exception {
    Map<String, String> options = new TreeMap<>();
    for (String argument : arguments) {
      String[] parts = argument.replaceFirst("^--", "").split("=", 2);
      options.put(parts[0], parts.length > 1 ? parts[1] : "true");
    }
    int chunk = Integer.parseInt(options.getOrDefault("chunk", "51200"));
    int seconds = Integer.parseInt(options.getOrDefault("seconds", "3"));
    boolean checksum = Boolean.parseBoolean(options.getOrDefault("checksum", "false"));
    int rounds = Integer.parseInt(options.getOrDefault("rounds", "5"));
    boolean iperf = Boolean.parseBoolean(options.getOrDefault("iperf", "true"));
    VerbsLoopback benchmark = new VerbsLoopback(chunk, seconds, checksum);
    Path control = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");
    System.out.printf(
        "congestion control %s, chunk %d bytes, checksum %s, %d s x %d%n",
        Files.exists(control) ? Files.readString(control).trim() : "unknown",
        chunk,
        checksum,
        seconds,
        rounds);
    Map<String, List<Result>> results = new TreeMap<>();
    benchmark.run(2);
    for (int round = 0; round < rounds; round++) {
      for (int queuePairs : QUEUE_PAIRS) {
        add(results, "iwarp x " + queuePairs, benchmark.run(queuePairs));
        if (iperf && queuePairs != 2) {
          add(results, "iperf3 -P " + queuePairs, Iperf.run(queuePairs, seconds));
        }
      }
    }
    results.forEach(
        (name, all) -> System.out.printf("%-12s GiB/s (CPU s/GiB) %s%n", name, Result.median(all)));
  }

  private static void add(Map<String, List<Result>> results, String name, Result result) {
    results.computeIfAbsent(name, key -> new ArrayList<>()).add(result);
  }

  private Result run(int queuePairs) throws InterruptedException {
    VerbsProvider provider = requireNonNull(VerbsProvider.installed().get("iwarp"));
    DeviceOptions options = new DeviceOptions(1, checksum, false);
    try (Arena arena = Arena.ofShared();
        Device from = provider.open(options);
        Device to = provider.open(options)) {
      List<Writer> writers = connect(arena, from, to, queuePairs);
      for (Writer writer : writers) {
        writer.awaitEstablished();
      }
      pause(500);
      Result result = measure(writers);
      writers.forEach(Writer::stop);
      return result;
    }
  }

  private static List<Writer> connectAll(
      Device from, ProtectionDomain domain, Listener listener, List<Writer> writers) {
    QpOptions qp = new QpOptions(domain, from.loops().getFirst(), DEPTH, 1, 1);
    for (Writer writer : writers) {
      from.connect(
          new ConnectOptions(
              address(), listener.local(), qp, ByteBuffer.allocate(0), 5_000_000_000L),
          writer);
    }
    return writers;
  }

  private List<Writer> connect(Arena arena, Device from, Device to, int queuePairs) {
    ProtectionDomain source = from.allocateDomain();
    ProtectionDomain target = to.allocateDomain();
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < queuePairs; i++) {
      writers.add(new Writer(register(arena, source), register(arena, target), chunkBytes, DEPTH));
    }
    QpOptions sink = new QpOptions(target, to.loops().getFirst(), 1, 1, 1);
    Listener listener =
        to.listen(
            ListenOptions.at(address()),
            request -> request.accept(sink, ByteBuffer.allocate(0), new Sink()));
    return connectAll(from, source, listener, writers);
  }

  private static MemoryRegion register(Arena arena, ProtectionDomain domain) {
    return domain.register(
        arena.allocate(REGION_BYTES).fill((byte) 1), EnumSet.allOf(Access.class));
  }

  private static InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
  }

  private Result measure(List<Writer> writers) throws InterruptedException {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpuNs = system.getProcessCpuTime();
    long startNs = SystemClock.INSTANCE.nanoTime();
    long before = total(writers);
    pause(seconds * 1000L);
    double gib = (total(writers) - before) / Result.GIB;
    double elapsedS = (SystemClock.INSTANCE.nanoTime() - startNs) / 1e9;
    return new Result(gib / elapsedS, (system.getProcessCpuTime() - cpuNs) / 1e9 / gib);
  }

  private static void pause(long milliseconds) throws InterruptedException {
    new CountDownLatch(1).await(milliseconds, TimeUnit.MILLISECONDS);
  }

  private static long total(List<Writer> writers) {
    return writers.stream().mapToLong(Writer::writtenBytes).sum();
  }
}
