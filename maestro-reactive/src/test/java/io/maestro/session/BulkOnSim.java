package io.maestro.session;

import io.maestro.api.Message;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;

/** A client that sends without an end, over paths of given links, in virtual time. */
final class BulkOnSim implements AutoCloseable {
  private static final long MESSAGE_BYTES = 8 << 20;

  final SimRig rig;
  final Pair pair;
  private final Region region = Region.allocate(MESSAGE_BYTES);
  private final int paths;

  BulkOnSim(List<LinkOptions> links, String balancer) {
    paths = links.size();
    rig = new SimRig(links.getFirst(), SimFabric.builder().seed(1).unitBytes(9000), paths);
    for (int path = 0; path < paths; path++) {
      rig.link(path, links.get(path));
    }
    pair =
        new Pair(rig, b -> b.paths(paths).allowUnauthenticated(true).loops(1).balancer(balancer));
    pair.server.receive().subscribe(Message::close);
  }

  /** A link of a rate in bytes per second whose queue holds 20 ms, and marks from 2 ms on. */
  static LinkOptions link(long bytesPerSecond, Duration delay) {
    return LinkOptions.defaults()
        .withBytesPerSecond(bytesPerSecond)
        .withDelay(delay)
        .withQueue(Math.max(1 << 20, bytesPerSecond / 50), bytesPerSecond / 500);
  }

  BulkOnSim start() {
    Flux.range(0, Integer.MAX_VALUE)
        .flatMap(number -> pair.client.send(region), 3)
        .subscribe(done -> {}, failure -> {});
    return this;
  }

  /** Bytes acknowledged by path in a time to come. */
  long[] carried(Duration time) {
    long[] before = acked();
    rig.fabric.runFor(time);
    long[] after = acked();
    return IntStream.range(0, paths).mapToLong(i -> after[i] - before[i]).toArray();
  }

  private long[] acked() {
    return pair.client.paths().stream().mapToLong(PathReport::ackedBytes).toArray();
  }

  /** How long one message takes. */
  Duration send(long bytes) {
    try (Region message = Region.allocate(bytes)) {
      long begin = rig.fabric.nanoTime();
      rig.one(pair.client.send(message));
      return Duration.ofNanos(rig.fabric.nanoTime() - begin);
    }
  }

  @Override
  public void close() {
    rig.close();
    region.release();
  }
}
