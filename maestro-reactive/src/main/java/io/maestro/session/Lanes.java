package io.maestro.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The transfers that have chunks to issue: higher priorities first, those of one priority in turns
 * of {@link #QUANTUM_BYTES}, so that a small message never waits for the whole of a large one.
 * Session's loop only.
 */
final class Lanes {
  /** A few chunks: small against a message, large against the cost of a turn. */
  static final long QUANTUM_BYTES = 256 * 1024;

  private static final int PRIORITIES = 8;

  private final List<ArrayDeque<Lane>> byPriority = new ArrayList<>();
  private int ready;

  Lanes() {
    for (int priority = 0; priority < PRIORITIES; priority++) {
      byPriority.add(new ArrayDeque<>());
    }
  }

  void add(Lane lane) {
    lane.startTurn(QUANTUM_BYTES);
    byPriority.get(lane.transfer().priority()).addLast(lane);
    ready++;
  }

  /** The lane whose turn it is, or null when nothing is left to issue. */
  @Nullable Lane next() {
    for (int priority = PRIORITIES - 1; priority >= 0 && ready > 0; priority--) {
      Lane lane = next(byPriority.get(priority));
      if (lane != null) {
        return lane;
      }
    }
    return null;
  }

  private @Nullable Lane next(ArrayDeque<Lane> lanes) {
    Lane lane;
    while ((lane = lanes.peekFirst()) != null) {
      if (!lane.transfer().hasMore()) {
        lanes.removeFirst();
        ready--;
      } else if (lane.turnIsOver()) {
        lane.startTurn(QUANTUM_BYTES);
        lanes.addLast(lanes.removeFirst());
      } else {
        return lane;
      }
    }
    return null;
  }

  void forEach(Consumer<Transfer> action) {
    for (ArrayDeque<Lane> lanes : byPriority) {
      for (Lane lane : List.copyOf(lanes)) {
        action.accept(lane.transfer());
      }
    }
  }
}
