package io.maestro.bench;

import io.maestro.api.MaestroConfig;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.verbs.SystemClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Messages of 256 MiB over loopback between two instances in this process, over 1, 2, 4 and 8
 * paths, beside iperf3 in the same run.
 *
 * <p>Arguments: {@code --quick} for one short round. Prints GiB/s and, in brackets, processor
 * seconds of both ends per GiB, medians of interleaved rounds, and as the last line one JSON
 * object.
 */
public final class Loopback {
  private static final long MESSAGE_BYTES = 256L << 20;
  private static final int[] PATHS = {1, 2, 4, 8};

  private final Map<String, List<Result>> results = new TreeMap<>();
  private final int messages;
  private final int seconds;
  private double shareError;

  private Loopback(int messages, int seconds) {
    this.messages = messages;
    this.seconds = seconds;
  }

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws Exception {
    boolean quick = List.of(arguments).contains("--quick");
    Loopback benchmark = quick ? new Loopback(8, 2) : new Loopback(24, 4);
    System.out.printf(
        "congestion control %s, messages of 256 MiB, chunks of %d bytes%n",
        congestionControl(), MaestroConfig.defaults().chunkBytes());
    benchmark.run(4);
    for (int round = 0; round < (quick ? 1 : 5); round++) {
      benchmark.round();
    }
    benchmark.print();
  }

  private static String congestionControl() throws IOException {
    Path file = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");
    return Files.exists(file) ? Files.readString(file).trim() : "unknown";
  }

  private void round() throws Exception {
    for (int paths : PATHS) {
      add("maestro " + paths, run(paths));
    }
    add("iperf3 1", Iperf.run(1, seconds));
    add("iperf3 4", Iperf.run(4, seconds));
  }

  private void add(String name, Result result) {
    results.computeIfAbsent(name, key -> new ArrayList<>()).add(result);
  }

  private Result run(int paths) {
    MaestroConfig config = MaestroConfig.with(b -> b.paths(paths).loops(1));
    try (LoopbackPair pair = LoopbackPair.open(config);
        Region region = Region.allocate(MESSAGE_BYTES)) {
      pair.send(region);
      Result result = measure(pair, region);
      if (paths == 4) {
        shareError = Math.max(shareError, shareError(pair.connection().paths()));
      }
      return result;
    }
  }

  private Result measure(LoopbackPair pair, Region region) {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpuNs = system.getProcessCpuTime();
    long startNs = SystemClock.INSTANCE.nanoTime();
    for (int i = 0; i < messages; i++) {
      pair.send(region);
    }
    double gib = messages * MESSAGE_BYTES / Result.GIB;
    double elapsedS = (SystemClock.INSTANCE.nanoTime() - startNs) / 1e9;
    return new Result(gib / elapsedS, (system.getProcessCpuTime() - cpuNs) / 1e9 / gib);
  }

  /** How far the path with the most unequal share is from an equal one, as a part of that. */
  private static double shareError(List<PathReport> paths) {
    double equal = paths.stream().mapToLong(PathReport::ackedBytes).sum() / (double) paths.size();
    return paths.stream()
        .mapToDouble(path -> Math.abs(path.ackedBytes() - equal) / equal)
        .max()
        .orElse(0);
  }

  private void print() {
    results.forEach(
        (name, all) -> System.out.printf("%-10s GiB/s (CPU s/GiB) %s%n", name, Result.median(all)));
    System.out.printf(
        Locale.ROOT, "largest deviation from equal shares of 4 paths: %.1f %%%n", shareError * 100);
    Result ours = Result.median(results.getOrDefault("maestro 4", List.of()));
    Result theirs = Result.median(results.getOrDefault("iperf3 4", List.of()));
    System.out.printf(
        Locale.ROOT,
        "{\"gib_s\":%.3f,\"cpu_s_gib\":%.3f,\"iperf3_gib_s\":%.3f,\"iperf3_cpu_s_gib\":%.3f,"
            + "\"max_share_error\":%.4f}%n",
        ours.gibPerS(),
        ours.cpuSPerGib(),
        theirs.gibPerS(),
        theirs.cpuSPerGib(),
        shareError);
  }
}
