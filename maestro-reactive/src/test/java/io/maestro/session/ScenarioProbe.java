package io.maestro.session;

import java.util.List;
import java.util.function.LongFunction;

/** Runs the scenario of a seed and says what was violated, empty for nothing. */
public final class ScenarioProbe implements LongFunction<String> {

  /** For {@link MutatedSession}, whose instances of this package are not its own. */
  public ScenarioProbe() {}

  @Override
  public String apply(long seed) {
    return String.join("\n  ", violations(Scenario.of(seed)));
  }

  /** What was violated; a run that cannot be finished has failed too. */
  static List<String> violations(Scenario scenario) {
    return run(scenario).violations();
  }

  static ScenarioRun.Verdict run(Scenario scenario) {
    try {
      return ScenarioRun.of(scenario);
    } catch (RuntimeException | AssertionError e) {
      return new ScenarioRun.Verdict(List.of("the run ended with " + e), 0);
    }
  }
}
