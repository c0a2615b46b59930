package io.maestro.bench.fabric;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Values of several runs by name, printed with their median and range. */
final class Table {
  private final Map<String, List<Double>> rows = new LinkedHashMap<>();

  void add(String name, double value) {
    rows.computeIfAbsent(name, any -> new ArrayList<>()).add(value);
    System.out.printf(Locale.ROOT, "  %-34s %8.1f%n", name, value);
  }

  /** The median of a row; NaN when it has no values. */
  double median(String name) {
    List<Double> values = rows.getOrDefault(name, List.of());
    return values.isEmpty() ? Double.NaN : Medians.of(values);
  }

  double sum(String name) {
    return rows.getOrDefault(name, List.of()).stream().mapToDouble(v -> v).sum();
  }

  Map<String, List<Double>> rows() {
    return rows;
  }

  void print(String unit) {
    System.out.printf("%n%-36s %10s  %s%n", "", "median", "range, " + unit);
    rows.forEach(
        (name, values) ->
            System.out.printf(
                Locale.ROOT,
                "%-36s %10.1f  %.1f-%.1f%n",
                name,
                Medians.of(values),
                values.stream().mapToDouble(v -> v).min().orElseThrow(),
                values.stream().mapToDouble(v -> v).max().orElseThrow()));
  }
}
