package io.maestro.session;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Finds fewer steps with which a scenario still fails. */
final class Shrinking {
  private Shrinking() {}

  /** Leaves out ever smaller groups of steps, as long as what is left still fails. */
  static Scenario of(Scenario scenario, Predicate<Scenario> fails) {
    Scenario smallest = scenario;
    for (int size = scenario.steps().size() / 2; size > 0; size /= 2) {
      for (int at = 0; at + size <= smallest.steps().size(); ) {
        Scenario fewer = smallest.with(without(smallest.steps(), at, size));
        if (fails.test(fewer)) {
          smallest = fewer;
        } else {
          at += size;
        }
      }
    }
    return smallest;
  }

  private static List<Step> without(List<Step> steps, int at, int size) {
    List<Step> rest = new ArrayList<>(steps.subList(0, at));
    rest.addAll(steps.subList(at + size, steps.size()));
    return rest;
  }
}
