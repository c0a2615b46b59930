package io.maestro.net;

import io.maestro.net.ProbeTarget.Protocol;
import io.maestro.verbs.ffi.NativeSocket;
import io.maestro.verbs.ffi.NativeSocketException;
import io.maestro.verbs.ffi.SocketError;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Probes over the kernel's sockets. A TCP probe is the SYN of a connect that ends at the hop; a UDP
 * probe is a datagram; both hear of it by the socket's error queue, which needs no privilege. A
 * 5-tuple that a connection has already is probed by a raw socket, which needs CAP_NET_RAW.
 */
final class SocketWire implements ProbeWire {
  private static final long MS_NS = 1_000_000;
  private static final byte[] DATAGRAM = new byte[Long.BYTES];

  private final Map<Probe, Open> open = new LinkedHashMap<>();

  private record Open(NativeSocket socket, boolean raw) {}

  /** Why nothing can be probed here; empty when it can. */
  static Optional<String> unavailable() {
    return NativeSocket.unavailable();
  }

  @Override
  public @Nullable String send(Probe probe) {
    try {
      NativeSocket socket = NativeSocket.open(local(probe).getAddress(), kind(probe));
      int error = start(socket, probe);
      if (error == 0) {
        open.put(probe, new Open(socket, false));
        return null;
      }
      socket.close();
      boolean taken =
          error == NativeSocket.ADDRESS_IN_USE || error == NativeSocket.ADDRESS_NOT_AVAILABLE;
      return taken ? sendRaw(probe) : "the kernel refused a probe: errno " + error;
    } catch (NativeSocketException refused) {
      return "the kernel refused a socket: " + refused.getMessage();
    }
  }

  private static InetSocketAddress local(Probe probe) {
    return probe.target().local();
  }

  private static boolean isTcp(Probe probe) {
    return probe.target().protocol() == Protocol.TCP;
  }

  private static NativeSocket.Kind kind(Probe probe) {
    return isTcp(probe) ? NativeSocket.Kind.STREAM : NativeSocket.Kind.DATAGRAM;
  }

  private static int start(NativeSocket socket, Probe probe) {
    socket.reuseAddress();
    socket.collectErrors();
    socket.hopLimit(probe.hop());
    socket.resetOnClose();
    int error = socket.bind(local(probe));
    if (error != 0) {
      return error;
    }
    int connecting = socket.connect(probe.target().remote());
    if (isTcp(probe)) {
      return connecting == NativeSocket.IN_PROGRESS ? 0 : connecting;
    }
    return connecting == 0 ? socket.send(DATAGRAM) : connecting;
  }

  /** The 5-tuple is in use, as that of a path that is up: only a raw socket can send on it. */
  private @Nullable String sendRaw(Probe probe) {
    NativeSocket.Kind kind = isTcp(probe) ? NativeSocket.Kind.RAW_TCP : NativeSocket.Kind.RAW_UDP;
    try {
      NativeSocket socket = NativeSocket.open(local(probe).getAddress(), kind);
      socket.collectErrors();
      socket.hopLimit(probe.hop());
      int error = socket.bind(new InetSocketAddress(local(probe).getAddress(), 0));
      if (error == 0) {
        error = socket.connect(new InetSocketAddress(probe.target().remote().getAddress(), 0));
      }
      if (error == 0) {
        error = socket.send(RawPacket.of(probe));
      }
      if (error == 0) {
        open.put(probe, new Open(socket, true));
        return null;
      }
      socket.close();
      return "%s is in use, and the kernel refused a raw probe: errno %d"
          .formatted(local(probe), error);
    } catch (NativeSocketException refused) {
      return refused.errno() == NativeSocket.NOT_PERMITTED
          ? "%s is in use: probing it needs CAP_NET_RAW".formatted(local(probe))
          : "the kernel refused a raw socket: " + refused.getMessage();
    }
  }

  @Override
  public void await(long timeoutNs, Consumer<Answer> sink) {
    List<Map.Entry<Probe, Open>> all = new ArrayList<>(open.entrySet());
    List<NativeSocket> sockets = all.stream().map(entry -> entry.getValue().socket()).toList();
    int timeoutMs = (int) Math.min(Integer.MAX_VALUE, (timeoutNs + MS_NS - 1) / MS_NS);
    boolean[] has = NativeSocket.poll(sockets, timeoutMs);
    for (int i = 0; i < has.length; i++) {
      if (has[i]) {
        Probe probe = all.get(i).getKey();
        Answer answer = read(probe, all.get(i).getValue());
        if (answer != null) {
          forget(probe);
          sink.accept(answer);
        }
      }
    }
  }

  private static @Nullable Answer read(Probe probe, Open opened) {
    Optional<SocketError> queued = opened.socket().takeQueuedError();
    while (opened.raw() && queued.isPresent() && !RawPacket.isOf(probe, queued.get().payload())) {
      queued = opened.socket().takeQueuedError(); // a raw socket hears of all with its addresses
    }
    if (queued.isPresent()) {
      return answer(probe, queued.get());
    }
    if (opened.raw() || !isTcp(probe)) {
      return null;
    }
    int error = opened.socket().takeError();
    boolean there = error == 0 || error == NativeSocket.REFUSED;
    return there
        ? new Answer(probe, Outcome.REACHED, probe.target().remote().getAddress())
        : new Answer(probe, Outcome.REFUSED, null);
  }

  private static Answer answer(Probe probe, SocketError error) {
    if (error.isTimeExceeded()) {
      return new Answer(probe, Outcome.EXPIRED, error.offender());
    }
    boolean peer = probe.target().remote().getAddress().equals(error.offender());
    return new Answer(probe, peer ? Outcome.REACHED : Outcome.REFUSED, error.offender());
  }

  @Override
  public void forget(Probe probe) {
    Open opened = open.remove(probe);
    if (opened != null) {
      opened.socket().close();
    }
  }

  @Override
  public void close() {
    List.copyOf(open.keySet()).forEach(this::forget);
  }
}
