package io.maestro.net;

import io.maestro.verbs.NanoClock;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A network of routers in virtual time: each hop has as many as there are, chosen by source port.
 */
final class FakeNetwork implements ProbeWire, NanoClock {
  static final long RTT_NS = 100_000;

  final List<Probe> sent = new ArrayList<>();
  final List<Long> sentNs = new ArrayList<>();
  final List<Probe> seenByPeer = new ArrayList<>();
  final Set<Integer> silentHops = new HashSet<>();
  final Set<Integer> takenPorts = new HashSet<>();
  boolean peerSilent;
  int refusingHop;
  double loss;
  int open;

  private final int[] routersOfHop;
  private final Random random;
  private final Map<Probe, Integer> pending = new HashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>((a, b) -> Long.compare(a.atNs, b.atNs));
  private long nowNs;
  private int serial;

  private record Event(long atNs, int serial, Answer answer) {}

  FakeNetwork(long seed, int... routersOfHop) {
    this.random = new Random(seed);
    this.routersOfHop = routersOfHop;
  }

  InetAddress router(int hop, int sourcePort) {
    int which = Math.floorMod(sourcePort * 7 + hop, routersOfHop[hop - 1]);
    return InetAddress.ofLiteral("10.%d.0.%d".formatted(100 + hop, which));
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
      return new Answer(probe, Outcome.REFUSED, router(hop, probe.target().local().getPort()));
    }
    if (hop <= routersOfHop.length) {
      int port = probe.target().local().getPort();
      return silentHops.contains(hop)
          ? null
          : new Answer(probe, Outcome.EXPIRED, router(hop, port));
    }
    seenByPeer.add(probe);
    return peerSilent
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
