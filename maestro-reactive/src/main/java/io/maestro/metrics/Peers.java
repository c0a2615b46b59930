package io.maestro.metrics;

import io.maestro.api.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The peers that have meters of their own: so many at a time. One whose connections have ended
 * keeps its meters, so that the last figures are seen, until another needs its place; while all
 * places are taken by connected peers, further ones share one set of meters.
 */
final class Peers {
  private final Registering registering;
  private final MeterOptions options;
  private final LinkedHashMap<String, PeerMeters> idle = new LinkedHashMap<>();
  private final Map<String, PeerMeters> busy = new HashMap<>();
  private final Map<Connection, String> tags = new HashMap<>();
  private @Nullable PeerMeters others;

  Peers(Registering registering, MeterOptions options) {
    this.registering = registering;
    this.options = options;
  }

  synchronized void opened(Connection connection) {
    String tag = options.peerTag().apply(connection.peer());
    PeerMeters meters = busy.get(tag);
    if (meters == null) {
      meters = idle.remove(tag);
      if (meters == null && busy.size() < options.maxPeers()) {
        makeRoom();
        meters = meters(tag);
      }
      if (meters != null) {
        busy.put(tag, meters);
      }
    }
    if (meters == null) {
      tag = MeterOptions.OTHER;
      meters = others();
    }
    tags.put(connection, tag);
    meters.opened(connection);
  }

  private PeerMeters others() {
    PeerMeters known = others;
    if (known == null) {
      known = meters(MeterOptions.OTHER);
      others = known;
    }
    return known;
  }

  private void makeRoom() {
    if (busy.size() + idle.size() >= options.maxPeers() && !idle.isEmpty()) {
      idle.pollFirstEntry().getValue().remove();
    }
  }

  private PeerMeters meters(String tag) {
    return new PeerMeters(registering.with("peer", tag), options.maxPaths());
  }

  synchronized void closed(Connection connection) {
    String tag = tags.remove(connection);
    PeerMeters meters = tag == null ? null : busy.getOrDefault(tag, others);
    if (meters != null && meters.closed(connection) && busy.remove(tag, meters)) {
      idle.put(tag, meters);
    }
  }

  synchronized void remove() {
    List<PeerMeters> all = new ArrayList<>(busy.values());
    all.addAll(idle.values());
    if (others != null) {
      all.add(others);
      others = null;
    }
    all.forEach(PeerMeters::remove);
    busy.clear();
    idle.clear();
    tags.clear();
  }
}
