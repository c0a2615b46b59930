package io.maestro.bench;

import io.maestro.api.MaestroConfig;
import io.maestro.api.Region;
import io.maestro.testing.Identity;
import io.maestro.verbs.SystemClock;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;

/**
 * What TLS costs: messages of 64 MiB over four loopback paths, both ends in this process, in the
 * clear and encrypted. The two take turns, so that what else the machine does falls on both.
 *
 * <p>Arguments: {@code --quick} for 3 rounds instead of 15. Prints GiB/s and, in brackets,
 * processor seconds of both ends per GiB, medians, and as the last line one JSON object with the
 * median of the rounds' ratios.
 */
public final class Encryption {
  private static final long MESSAGE_BYTES = 64L << 20;
  private static final int MESSAGES = 32;

  private Encryption() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) {
    int rounds = List.of(arguments).contains("--quick") ? 3 : 15;
    Identity peer = Identity.of("peer");
    SSLContext tls = peer.trusting(peer);
    List<Result> clear = new ArrayList<>();
    List<Result> encrypted = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    try (LoopbackPair plain = LoopbackPair.open(MaestroConfig.with(b -> b.loops(1)));
        LoopbackPair secured = LoopbackPair.open(MaestroConfig.with(b -> b.loops(1).tls(tls)));
        Region region = Region.allocate(MESSAGE_BYTES)) {
      run(plain, region);
      run(secured, region);
      for (int round = 0; round < rounds; round++) {
        clear.add(run(plain, region));
        encrypted.add(run(secured, region));
        ratios.add(encrypted.getLast().gibPerS() / clear.getLast().gibPerS());
      }
    }
    Result without = Result.median(clear);
    Result with = Result.median(encrypted);
    double ratio = ratios.stream().sorted().toList().get(rounds / 2);
    System.out.printf("GiB/s (CPU s/GiB) in the clear %s, encrypted %s%n", without, with);
    System.out.printf(
        Locale.ROOT,
        "{\"plain_gib_s\":%.3f,\"tls_gib_s\":%.3f,\"plain_cpu_s_gib\":%.3f,\"tls_cpu_s_gib\":%.3f,"
            + "\"tls_fraction\":%.3f}%n",
        without.gibPerS(),
        with.gibPerS(),
        without.cpuSPerGib(),
        with.cpuSPerGib(),
        ratio);
  }

  private static Result run(LoopbackPair pair, Region region) {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpuNs = system.getProcessCpuTime();
    long startNs = SystemClock.INSTANCE.nanoTime();
    for (int i = 0; i < MESSAGES; i++) {
      pair.send(region);
    }
    double gib = MESSAGES * MESSAGE_BYTES / Result.GIB;
    double elapsedS = (SystemClock.INSTANCE.nanoTime() - startNs) / 1e9;
    return new Result(gib / elapsedS, (system.getProcessCpuTime() - cpuNs) / 1e9 / gib);
  }
}
