package io.maestro.trainer.fault;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The switches of all faults of a process, one for each virtual NIC. A path belongs to the virtual
 * NIC of the side that connects, so that both processes call the path's fault by the same address.
 * Any thread; nothing blocks.
 */
public final class FaultBoard {

  private final Map<InetAddress, Link> links = new ConcurrentHashMap<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** Hears of changes, on the thread that makes them. */
  @FunctionalInterface
  interface Listener {
    void faultsChanged();
  }

  /** Whether and how one virtual NIC fails. */
  static final class Link {
    private volatile Fault fault = Fault.NONE;

    /** One volatile read. */
    Fault fault() {
      return fault;
    }
  }

  /** From now on, for queue pairs that there are and for new ones. */
  public void set(InetAddress virtualNic, Fault fault) {
    link(virtualNic).fault = fault;
    listeners.forEach(Listener::faultsChanged);
  }

  /** What is wrong with a virtual NIC. */
  public Fault fault(InetAddress virtualNic) {
    return link(virtualNic).fault;
  }

  Link link(InetAddress virtualNic) {
    return links.computeIfAbsent(virtualNic, address -> new Link());
  }

  /** Calls back after each change, on the thread that made it. */
  void listen(Listener listener) {
    listeners.add(listener);
  }

  void forget(Listener listener) {
    listeners.remove(listener);
  }
}
