package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation is worth its name: it finds each of these faults when somebody makes it. */
class MutantTest {
  private static final int MOST_SEEDS = 500;

  static List<Mutant> mutants() {
    return Mutant.ALL;
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void theSimulationFinds(Mutant mutant) throws ReflectiveOperationException {
    LongFunction<String> probe = MutatedSession.probe(mutant);
    long seed = 1;
    while (seed <= MOST_SEEDS && probe.apply(seed).isEmpty()) {
      seed++;
    }
    assertThat(seed).as("the first seed that finds it").isLessThanOrEqualTo(MOST_SEEDS);
  }

  @Test
  void withoutAFaultNothingIsFound() throws ReflectiveOperationException {
    LongFunction<String> probe = MutatedSession.probe(null);
    for (long seed = 1; seed <= 20; seed++) {
      assertThat(probe.apply(seed)).as("seed %d", seed).isEmpty();
    }
  }
}
