package io.maestro.bench.fabric;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.MaestroConfig;
import io.maestro.api.Region;
import io.maestro.api.Routing;
import io.maestro.collective.AddressList;
import io.maestro.collective.Buckets;
import io.maestro.collective.Communicator;
import io.maestro.collective.ElementType;
import io.maestro.collective.ReduceOp;
import io.maestro.verbs.SystemClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The program of a rank: barriers and all-reduces, one after the other. Prints a line each for the
 * barrier, unless the region is large, and the all-reduce: {@code WHAT p50 US p99 US mean US}.
 *
 * <p>Arguments: rank, bytes of the region or of each bucket with commas between them, calls to warm
 * up with, calls to measure, paths, delivery ({@code loop} or {@code parallel}), routes ({@code
 * selected} or {@code any}), port of rank 0, and for each rank its addresses with commas between
 * them. Rank {@code i} listens at port {@code +i}.
 */
final class Rank {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final long LARGE = 1 << 20;

  private final Communicator communicator;
  private final int warm;
  private final int count;

  private Rank(Communicator communicator, int warm, int count) {
    this.communicator = communicator;
    this.warm = warm;
    this.count = count;
  }

  /** Runs all calls. */
  public static void main(String[] arguments) {
    int rank = Integer.parseInt(arguments[0]);
    List<List<InetSocketAddress>> ranks = new ArrayList<>();
    for (String addresses : List.of(arguments).subList(8, arguments.length)) {
      int port = Integer.parseInt(arguments[7]) + ranks.size();
      ranks.add(
          Stream.of(addresses.split(",", -1))
              .map(InetAddress::ofLiteral)
              .map(address -> new InetSocketAddress(address, port))
              .toList());
    }
    InetSocketAddress[] mine = ranks.get(rank).toArray(InetSocketAddress[]::new);
    boolean loop = arguments[5].equals("loop");
    try (Maestro maestro =
        Maestro.builder(config(mine, Integer.parseInt(arguments[4]), arguments[6]))
            .delivery(loop ? Schedulers.immediate() : Schedulers.parallel())
            .create()) {
      Binding binding = Objects.requireNonNull(maestro.bind(mine).block(LIMIT));
      AddressList place = AddressList.of(rank, ranks, binding, maestro::connect);
      Communicator communicator = Objects.requireNonNull(Communicator.form(place).block(LIMIT));
      new Rank(communicator, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]))
          .run(Stream.of(arguments[1].split(",", -1)).map(Long::valueOf).toList());
    }
  }

  private static MaestroConfig config(InetSocketAddress[] mine, int paths, String routes) {
    List<InetAddress> local = Arrays.stream(mine).map(InetSocketAddress::getAddress).toList();
    Routing routing = routes.equals("selected") ? Routing.PROBE : Routing.OFF;
    return Sender.config(b -> b.paths(paths).loops(1).localAddresses(local).routing(routing));
  }

  private void run(List<Long> sizes) {
    long bytes = sizes.stream().mapToLong(Long::longValue).sum();
    try (Region region = Region.allocate(bytes)) {
      if (bytes < LARGE) {
        measure("barrier", communicator.barrier());
      }
      measure("allreduce", sizes.size() == 1 ? whole(region) : buckets(region, sizes));
      communicator.leave().block(LIMIT);
    }
  }

  private Mono<Void> whole(Region region) {
    return communicator.allReduce(region, ElementType.FLOAT32, ReduceOp.SUM);
  }

  /** Each size is a bucket, and all are ready. */
  private Mono<Void> buckets(Region region, List<Long> sizes) {
    return Mono.defer(
        () -> {
          Buckets step = Buckets.of(region, sizes, 1);
          step.allReady();
          return communicator.allReduce(step, ElementType.FLOAT32, ReduceOp.SUM);
        });
  }

  private void measure(String what, Mono<Void> call) {
    repeat(call, new double[warm]);
    double[] us = new double[count];
    repeat(call, us);
    double mean = Arrays.stream(us).average().orElseThrow();
    Arrays.sort(us);
    System.out.printf(
        Locale.ROOT,
        "%s p50 %.2f p99 %.2f mean %.2f%n",
        what,
        us[count / 2],
        us[Math.min(count - 1, (int) (count * 99L / 100))],
        mean);
  }

  /** As a reactive application does it: the next call is made where the last one has completed. */
  private static void repeat(Mono<Void> call, double[] us) {
    int[] next = {0};
    long[] startNs = {SystemClock.INSTANCE.nanoTime()};
    if (us.length == 0) {
      return;
    }
    call.doOnSuccess(
            done -> {
              long now = SystemClock.INSTANCE.nanoTime();
              us[next[0]++] = (now - startNs[0]) / 1000.0;
              startNs[0] = now;
            })
        .repeat(us.length - 1L)
        .blockLast(LIMIT);
  }
}
