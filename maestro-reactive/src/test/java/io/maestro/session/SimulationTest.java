package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The real session in thousands of worlds, each made up from a seed: whatever happens, every
 * message arrives once and whole or fails with a reason, and nothing stays behind.
 *
 * <p>{@code -Dmaestro.simulation.seed=N} replays one seed; {@code -Dmaestro.simulation.seeds=N}
 * runs more, from {@code -Dmaestro.simulation.first=N} on.
 */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("maestro.simulation.seeds", 5_000);
  private static final long FIRST = Long.getLong("maestro.simulation.first", 1);
  private static final Long ONLY = Long.getLong("maestro.simulation.seed");
  private static final int MOST_FAULTS = 3;

  /** Every so many runs are repeated. */
  private static final int REPEATED = 25;

  @Test
  @Timeout(value = 24, unit = TimeUnit.HOURS)
  void whateverHappensEveryMessageArrivesOnceAndWholeOrFailsWithAReason() {
    Queue<String> faults = new ConcurrentLinkedQueue<>();
    LongStream seeds = ONLY == null ? LongStream.range(FIRST, FIRST + SEEDS) : LongStream.of(ONLY);
    seeds
        .parallel()
        .filter(seed -> faults.size() < MOST_FAULTS)
        .forEach(
            seed -> {
              List<String> violations = violations(Scenario.of(seed));
              if (!violations.isEmpty()) {
                faults.add(report(seed, violations));
              }
            });
    assertThat(faults).isEmpty();
  }

  private static List<String> violations(Scenario scenario) {
    ScenarioRun.Verdict verdict = ScenarioProbe.run(scenario);
    if (scenario.seed() % REPEATED == 0 && !verdict.equals(ScenarioProbe.run(scenario))) {
      return List.of("the same seed runs another way");
    }
    return verdict.violations();
  }

  private static String report(long seed, List<String> violations) {
    Scenario smallest = Shrinking.of(Scenario.of(seed), fewer -> !violations(fewer).isEmpty());
    return """
        seed %d: %s
        with fewer steps: %s
        %s
        replay it: mvn -pl maestro-reactive test -Dtest=SimulationTest -Dmaestro.simulation.seed=%d
        """
        .formatted(
            seed,
            String.join("\n  ", violations),
            String.join("\n  ", violations(smallest)),
            smallest.story(),
            seed);
  }

  @Test
  void theStepsThatAFaultNeedsAreFound() {
    Scenario scenario = Scenario.of(1);
    Step needed = scenario.steps().getLast();
    assertThat(Shrinking.of(scenario, fewer -> fewer.steps().contains(needed)).steps())
        .containsExactly(needed);
  }
}
