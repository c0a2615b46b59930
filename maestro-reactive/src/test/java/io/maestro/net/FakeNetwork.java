package io.maestro.net;

import io.maestro.verbs.NanoClock;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * A network of routers in virtual time. Which one a probe meets at a hop depends on its 5-tuple, as
 * the given function says.
 */
public final class FakeNetwork implements ProbeWire, NanoClock {
  static final long RTT_NS = 100_000;

  final List<Probe> sent = new ArrayList<>();
  final List<Long> sentNs = new ArrayList<>();
  final List<Probe> seenByPeer = new ArrayList<>();
  final Set<Integer> silentHops = new HashSet<>();
  final Set<Integer> takenPorts = new HashSet<>();
  boolean peerSilent;
  Predicate<ProbeTarget> connections = target -> false;
  int refusingHop;
  double loss;
  int open;

  private final Routes routes;
  private final Random random;
  private final Map<Probe, Integer> pending = new HashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>((a, b) -> Long.compare(a.atNs, b.atNs));
  private long nowNs;
  private int serial;

  private record Event(long atNs, int serial, Answer answer) {}

  FakeNetwork(long seed, Routes routes) {
    this.random = new Random(seed);
    this.routes = routes;
  }

  /** Each hop has so many routers, chosen by the source port. */
  FakeNetwork(long seed, int... routersOfHop) {
    this(
        seed,
        target ->
            IntStream.rangeClosed(1, routersOfHop.length)
                .mapToObj(hop -> router(hop, target, routersOfHop[hop - 1]))
                .toList());
  }

  private static InetAddress router(int hop, ProbeTarget target, int routers) {
    int which = Math.floorMod(target.local().getPort() * 7 + hop, routers);
    return InetAddress.ofLiteral("10.%d.0.%d".formatted(100 + hop, which));
  }

  /** The routers that the packets of a 5-tuple meet. */
  @FunctionalInterface
  public interface Routes {
    /** Their addresses in order. */
    List<InetAddress> of(ProbeTarget target);
  }

  /** A prober over this network, which never loses an answer. */
  public static RouteProber prober(Routes routes) {
    return prober(routes, target -> false);
  }

  /**
   * A prober over this network, which never loses an answer.
   *
   * @param connections which 5-tuples have a connection, so that the peer answers no probe of it
   */
  public static RouteProber prober(Routes routes, Predicate<ProbeTarget> connections) {
    FakeNetwork network = new FakeNetwork(1, routes);
    network.connections = connections;
    return new RouteProber(
        ProbeOptions.DEFAULT, network, () -> network, Optional.empty(), Schedulers.immediate());
  }

  /** A prober whose probes are never answered. */
  public static RouteProber silent() {
    FakeNetwork network = new FakeNetwork(1, target -> List.of());
    network.peerSilent = true;
    return new RouteProber(
        ProbeOptions.DEFAULT, network, () -> network, Optional.empty(), Schedulers.immediate());
  }

  InetAddress router(int hop, ProbeTarget target) {
    return routes.of(target).get(hop - 1);
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }

  @Override
  public @Nullable String send(Probe probe) {
    if (takenPorts.contains(probe.target().local().getPort())) {
      return "the port is in use";
    }
    sent.add(probe);
    sentNs.add(nowNs);
    open++;
    pending.put(probe, ++serial);
    Answer answer = answerTo(probe);
    if (answer != null && random.nextDouble() >= loss) {
      events.add(new Event(nowNs + RTT_NS, serial, answer));
    }
    return null;
  }

  private @Nullable Answer answerTo(Probe probe) {
    int hop = probe.hop();
    if (hop == refusingHop) {
      return new Answer(probe, Outcome.REFUSED, router(hop, probe.target()));
    }
    if (hop <= routes.of(probe.target()).size()) {
      return silentHops.contains(hop)
          ? null
          : new Answer(probe, Outcome.EXPIRED, router(hop, probe.target()));
    }
    seenByPeer.add(probe);
    return peerSilent || connections.test(probe.target())
        ? null
        : new Answer(probe, Outcome.REACHED, probe.target().remote().getAddress());
  }

  @Override
  public void await(long timeoutNs, Consumer<Answer> sink) {
    long endNs = nowNs + timeoutNs;
    boolean heard = false;
    while (!events.isEmpty() && events.peek().atNs <= (heard ? nowNs : endNs)) {
      Event event = events.remove();
      nowNs = Math.max(nowNs, event.atNs);
      Integer current = pending.get(event.answer.probe());
      if (current != null && current == event.serial) {
        forget(event.answer.probe());
        heard = true;
        sink.accept(event.answer);
      }
    }
    nowNs = heard ? nowNs : endNs;
  }

  @Override
  public void forget(Probe probe) {
    if (pending.remove(probe) != null) {
      open--;
    }
  }

  @Override
  public void close() {
    pending.clear();
    open = 0;
  }
}
