package io.maestro.verbs.sim;

import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/** The wires: addresses, the links between them, and who listens where. */
final class Network {
  private static final int FIRST_EPHEMERAL_PORT = 32_768;
  private static final int LAST_PORT = 65_535;

  private record Route(InetAddress from, InetAddress to) {}

  private final Timeline timeline = new Timeline();
  private final Packet.Pool packets = new Packet.Pool();
  private final FabricOptions options;
  private final SplittableRandom random;
  private final KeySpace keys;
  private final Set<InetAddress> addresses;
  private final LinkOptions defaultLink;
  private final Map<Route, Link> links = new HashMap<>();
  private final Map<InetSocketAddress, SimListener> listeners = new ConcurrentHashMap<>();
  private final Map<InetSocketAddress, Set<InetSocketAddress>> remotesOfLocal = new HashMap<>();
  private final Set<Transport> open = new LinkedHashSet<>();
  private int nextPort = FIRST_EPHEMERAL_PORT;

  Network(FabricOptions options, Set<InetAddress> addresses, LinkOptions defaultLink) {
    this.options = options;
    this.addresses = Set.copyOf(addresses);
    this.defaultLink = defaultLink;
    random = new SplittableRandom(options.seed());
    keys = new KeySpace(random.split());
  }

  Timeline timeline() {
    return timeline;
  }

  Packet.Pool packets() {
    return packets;
  }

  FabricOptions options() {
    return options;
  }

  KeySpace keys() {
    return keys;
  }

  boolean has(InetAddress address) {
    return addresses.contains(address);
  }

  synchronized Link link(InetAddress from, InetAddress to) {
    return links.computeIfAbsent(
        new Route(from, to),
        route -> new Link(timeline, random.split(), links.size(), defaultLink));
  }

  /** Binds a listener; any thread. */
  InetSocketAddress bind(InetSocketAddress wanted, SimListener listener) {
    requireLocal(wanted);
    InetSocketAddress address = wanted.getPort() == 0 ? withFreePort(wanted) : wanted;
    if (listeners.putIfAbsent(address, listener) != null) {
      throw new VerbsException(Kind.ADDRESS_IN_USE, "somebody listens at " + address + " already");
    }
    return address;
  }

  void unbind(InetSocketAddress address, SimListener listener) {
    listeners.remove(address, listener);
  }

  /** The local address of a new connection, with a port; throws when it cannot be had. */
  synchronized InetSocketAddress open(InetSocketAddress wanted, InetSocketAddress remote) {
    requireLocal(wanted);
    if (!has(remote.getAddress())) {
      throw new VerbsException(
          Kind.UNREACHABLE, "no route from " + wanted + " to " + remote + ": no such host");
    }
    InetSocketAddress local = wanted.getPort() == 0 ? withFreePort(wanted) : wanted;
    if (listeners.containsKey(local) || !remotes(local).add(remote)) {
      throw new VerbsException(
          Kind.ADDRESS_IN_USE, local + " is in use: choose another port, or 0 for a free one");
    }
    return local;
  }

  /** On the driving thread. */
  void opened(Transport transport) {
    open.add(transport);
  }

  /** Breaks both ends of every connection between two addresses; on the driving thread. */
  void breakConnections(InetAddress one, InetAddress other) {
    for (Transport transport : List.copyOf(open)) {
      if (transport.isBetween(one, other)) {
        transport.isBroken();
      }
    }
  }

  synchronized void release(Transport transport) {
    open.remove(transport);
    Set<InetSocketAddress> remotes = remotes(transport.local());
    remotes.remove(transport.remote());
    if (remotes.isEmpty()) {
      remotesOfLocal.remove(transport.local());
    }
  }

  private Set<InetSocketAddress> remotes(InetSocketAddress local) {
    return remotesOfLocal.computeIfAbsent(local, address -> new HashSet<>());
  }

  private void requireLocal(InetSocketAddress address) {
    if (!has(address.getAddress())) {
      throw new VerbsException(
          Kind.ADDRESS_UNAVAILABLE,
          "%s is no address of this fabric; it has %s"
              .formatted(address.getAddress().getHostAddress(), addresses));
    }
  }

  private synchronized InetSocketAddress withFreePort(InetSocketAddress wanted) {
    for (int tried = 0; tried <= LAST_PORT - FIRST_EPHEMERAL_PORT; tried++) {
      InetSocketAddress candidate = new InetSocketAddress(wanted.getAddress(), nextPort);
      nextPort = nextPort == LAST_PORT ? FIRST_EPHEMERAL_PORT : nextPort + 1;
      if (!isTaken(candidate)) {
        return candidate;
      }
    }
    throw new VerbsException(
        Kind.ADDRESS_IN_USE, "no port is free at " + wanted.getAddress().getHostAddress());
  }

  private boolean isTaken(InetSocketAddress local) {
    return listeners.containsKey(local) || remotesOfLocal.containsKey(local);
  }

  /** A first packet is at the address it was sent to; returns whether anybody is there. */
  boolean meetListener(Transport from) {
    SimListener listener = listeners.get(from.remote());
    if (listener == null) {
      String reason = "nobody listens at " + from.remote();
      packets
          .farewell(null, from, Farewell.of(Kind.REFUSED, reason))
          .sendOver(link(from.remote().getAddress(), from.local().getAddress()), 0);
      return false;
    }
    new Transport(this, /* local= */ from.remote(), /* remote= */ from.local())
        .meet(from, listener);
    return true;
  }
}
