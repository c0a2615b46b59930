package io.maestro.trainer.role;

import io.maestro.trainer.report.Interval;
import io.maestro.trainer.report.RunListener;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Makes one interval of those that the workers report, as soon as all have. */
final class WorkerMerge {

  private final Set<String> workers = new HashSet<>();
  private final TreeMap<Integer, Map<String, Interval>> open = new TreeMap<>();
  private final RunListener listener;

  WorkerMerge(RunListener listener) {
    this.listener = listener;
  }

  void add(String worker) {
    workers.add(worker);
  }

  /** A worker is gone: nothing more is waited for from it. */
  void remove(String worker) {
    workers.remove(worker);
    emit();
  }

  void ended(String worker, Interval interval) {
    open.computeIfAbsent(interval.number(), number -> new LinkedHashMap<>()).put(worker, interval);
    emit();
  }

  private void emit() {
    while (!open.isEmpty() && open.firstEntry().getValue().keySet().containsAll(workers)) {
      Map<String, Interval> parts = open.pollFirstEntry().getValue();
      listener.ended(Interval.together(List.copyOf(parts.values())));
    }
  }
}
