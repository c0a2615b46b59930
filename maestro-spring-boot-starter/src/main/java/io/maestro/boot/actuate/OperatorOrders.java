package io.maestro.boot.actuate;

import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Mark;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathDirective.Weights;
import io.maestro.api.PathSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What operators have said of one connection, and whether it has been told. Any thread. */
final class OperatorOrders {
  private static final PathDirective HEARTBEAT = new PathDirective.Heartbeat();

  private final Map<Integer, State> marks = new TreeMap<>();
  private Map<Integer, Double> weights = Map.of();
  private boolean isNew;

  synchronized void mark(int path, State state) {
    marks.put(path, state);
    isNew = true;
  }

  synchronized void weigh(Weights given) {
    weights = given.byPath();
    isNew = true;
  }

  /** Lets the connection decide for itself again. */
  synchronized void takeBack() {
    marks.replaceAll((path, state) -> State.GOOD);
    weights = Map.of();
    isNew = true;
  }

  synchronized void sayAgain() {
    isNew = true;
  }

  /** All that is in force when something of it is new, else a sign of life. */
  synchronized List<PathDirective> news() {
    if (!isNew) {
      return List.of(HEARTBEAT);
    }
    isNew = false;
    List<PathDirective> all = new ArrayList<>();
    marks.forEach((path, state) -> all.add(new Mark(new PathSet.Path(path), state)));
    all.add(new Weights(weights));
    return all;
  }

  /** The marks that differ from what holds by itself. */
  synchronized Map<Integer, State> marks() {
    Map<Integer, State> said = new TreeMap<>(marks);
    said.values().removeIf(state -> state == State.GOOD);
    return said;
  }

  synchronized Map<Integer, Double> weights() {
    return new TreeMap<>(weights);
  }
}
