package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroObserver;
import io.maestro.api.PathController;
import io.maestro.api.Region;
import io.maestro.net.PathPlanner;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/** A client and a server that are connected. */
final class Pair {
  final Rig rig;
  final Endpoint clientEnd;
  final Endpoint serverEnd;
  final Binding binding;
  final Connection client;
  final Connection server;

  Pair(Rig rig, UnaryOperator<MaestroConfig.Builder> settings) {
    this(rig, settings, settings);
  }

  Pair(
      Rig rig,
      UnaryOperator<MaestroConfig.Builder> clientSettings,
      UnaryOperator<MaestroConfig.Builder> serverSettings) {
    this(rig, rig.endpoint(clientSettings), rig.endpoint(serverSettings), targets -> targets);
  }

  private Pair(
      Rig rig,
      Endpoint clientEnd,
      Endpoint serverEnd,
      UnaryOperator<List<InetSocketAddress>> wires) {
    this.rig = rig;
    this.serverEnd = serverEnd;
    this.clientEnd = clientEnd;
    binding = rig.one(serverEnd.bind(rig.addresses()));
    Mono<Connection> accepted = binding.connections().next().cache();
    accepted.subscribe();
    client = rig.one(clientEnd.connect(wires.apply(binding.addresses())));
    server = rig.one(accepted);
  }

  /** A pair whose client has a controller. */
  static Pair steered(
      Rig rig, UnaryOperator<MaestroConfig.Builder> settings, PathController controller) {
    return new Pair(
        rig,
        rig.endpoint(settings, Endpoint.Policies.none().with(controller)),
        rig.endpoint(ConnectionContract.DEFAULTS::apply),
        targets -> targets);
  }

  /** A pair whose two sides have the same observer. */
  static Pair observed(Rig rig, MaestroObserver observer) {
    return observed(rig, observer, settings -> settings);
  }

  /** A pair whose two sides have the same observer; with settings beside the usual ones. */
  static Pair observed(
      Rig rig, MaestroObserver observer, UnaryOperator<MaestroConfig.Builder> settings) {
    Endpoint.Policies policies = Endpoint.Policies.none().with(observer);
    UnaryOperator<MaestroConfig.Builder> all =
        builder -> settings.apply(ConnectionContract.DEFAULTS.apply(builder));
    return new Pair(
        rig, rig.endpoint(all, policies), rig.endpoint(all, policies), targets -> targets);
  }

  /** A pair whose client's routes are planned. */
  static Pair planned(Rig rig, UnaryOperator<MaestroConfig.Builder> settings, PathPlanner planner) {
    return new Pair(
        rig,
        rig.endpoint(settings, new Endpoint.Policies(planner, null, null, List.of())),
        rig.endpoint(ConnectionContract.DEFAULTS::apply),
        targets -> targets);
  }

  /** A pair whose wires can fail: path <i>i</i> is on wire <i>i</i>. */
  static Pair wired(Rig rig, UnaryOperator<MaestroConfig.Builder> settings) {
    return wired(rig, settings, wires -> wires);
  }

  /**
   * A pair whose wires can fail.
   *
   * @param before is given the wires before anything is connected, and says which to connect to
   */
  static Pair wired(
      Rig rig,
      UnaryOperator<MaestroConfig.Builder> settings,
      UnaryOperator<List<InetSocketAddress>> before) {
    return new Pair(
        rig,
        rig.endpoint(settings),
        rig.endpoint(settings),
        targets -> before.apply(rig.wires(targets)));
  }

  /** Nothing is leased on either side, now or soon. */
  void assertNothingLeased() {
    rig.until(
        () -> clientEnd.leasedBytes() == 0 && serverEnd.leasedBytes() == 0, Duration.ofSeconds(20));
    assertThat(List.of(clientEnd.leasedBytes(), serverEnd.leasedBytes())).containsOnly(0L);
  }

  /** A region whose bytes follow from the seed. */
  static Region random(long bytes, long seed) {
    Region region = Region.allocate(bytes);
    fill(region.segment(), seed);
    return region;
  }

  private static void fill(MemorySegment segment, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long at = 0;
    for (; at + 8 <= segment.byteSize(); at += 8) {
      segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, random.nextLong());
    }
    for (; at < segment.byteSize(); at++) {
      segment.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
    }
  }

  /** Whether all bytes are those of {@link #random}. */
  static boolean matches(MemorySegment segment, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long at = 0;
    for (; at + 8 <= segment.byteSize(); at += 8) {
      if (segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at) != random.nextLong()) {
        return false;
      }
    }
    for (; at < segment.byteSize(); at++) {
      if (segment.get(ValueLayout.JAVA_BYTE, at) != (byte) random.nextInt()) {
        return false;
      }
    }
    return true;
  }
}
