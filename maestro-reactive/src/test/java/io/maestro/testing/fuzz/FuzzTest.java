package io.maestro.testing.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The corpus of each target, and inputs near to it. {@code -Dmaestro.fuzz.runs=N} runs more, from
 * {@code -Dmaestro.fuzz.seed=N} on.
 */
class FuzzTest {
  private static final int RUNS = Integer.getInteger("maestro.fuzz.runs", 20_000);
  private static final long SEED = Long.getLong("maestro.fuzz.seed", 1);

  static List<FuzzTarget> targets() {
    return FuzzTarget.ALL;
  }

  @ParameterizedTest
  @MethodSource("targets")
  void theCorpusIsTakenOrRefusedAsItShould(FuzzTarget target) throws IOException {
    for (Path file : target.corpus()) {
      run(target, Files.readAllBytes(file), file.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("targets")
  @Timeout(value = 12, unit = TimeUnit.HOURS)
  void soIsWhatIsNearToIt(FuzzTarget target) throws IOException {
    List<byte[]> corpus = new ArrayList<>();
    for (Path file : target.corpus()) {
      corpus.add(Files.readAllBytes(file));
    }
    Mutation mutation = new Mutation(corpus, SEED);
    for (int run = 0; run < RUNS; run++) {
      run(target, mutation.next(), "seed %d, run %d".formatted(SEED, run));
    }
  }

  private static void run(FuzzTarget target, byte[] input, String name) {
    try {
      target.run(input);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "%s, %s: %s".formatted(target, name, HexFormat.of().formatHex(input)), e);
    }
  }
}
