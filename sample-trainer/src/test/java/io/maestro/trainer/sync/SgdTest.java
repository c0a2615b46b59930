package io.maestro.trainer.sync;

import static io.maestro.trainer.sync.Vectors.valuesOf;
import static io.maestro.trainer.sync.Vectors.vector;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SgdTest {

  @Test
  void withoutMomentumAStepGoesDownTheMeanGradient() {
    MemorySegment parameters = vector(10, 20);

    new Sgd(0.5f, 0, 2).step(parameters, List.of(vector(1, 2), vector(3, 6)));

    assertThat(valuesOf(parameters)).containsExactly(9, 18);
  }

  @Test
  void momentumKeepsGoing() {
    MemorySegment parameters = vector(0);
    var sgd = new Sgd(1, 0.5f, 1);

    sgd.step(parameters, List.of(vector(8)));
    sgd.step(parameters, List.of(vector(0)));
    sgd.step(parameters, List.of(vector(0)));

    assertThat(valuesOf(parameters)).containsExactly(-8 - 4 - 2);
  }

  @Test
  void vectorsOfManyBlocksFollowTheFormulaInEveryPlace() {
    long seed = 20_261_129;
    var random = new Random(seed);
    float[] start = floats(random, 10_001);
    float[] first = floats(random, 10_001);
    float[] second = floats(random, 10_001);
    MemorySegment parameters = vector(start);
    var sgd = new Sgd(0.1f, 0.9f, start.length);

    sgd.step(parameters, List.of(vector(first)));
    sgd.step(parameters, List.of(vector(second)));

    float[] expected = new float[start.length];
    for (int i = 0; i < start.length; i++) {
      float velocity = second[i] + 0.9f * first[i];
      expected[i] = start[i] - 0.1f * first[i] - 0.1f * velocity;
    }
    assertThat(valuesOf(parameters)).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void shardsStepAsTheWholeDoes() {
    var random = new Random(7);
    float[] start = floats(random, 1_000);
    MemorySegment gradient = vector(floats(random, 1_000));
    MemorySegment whole = vector(start);
    MemorySegment parts = vector(start);

    new Sgd(0.1f, 0.9f, 1_000).step(whole, List.of(gradient));
    for (int index = 0; index < 3; index++) {
      Shard shard = Shard.of(1_000, index, 3);
      new Sgd(0.1f, 0.9f, shard.count()).step(shard.of(parts), List.of(shard.of(gradient)));
    }

    assertThat(valuesOf(parts)).isEqualTo(valuesOf(whole));
  }

  private static float[] floats(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return values;
  }
}
