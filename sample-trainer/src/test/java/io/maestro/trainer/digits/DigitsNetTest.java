package io.maestro.trainer.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.engine.Engine;
import io.maestro.trainer.shape.LayerList;
import io.maestro.trainer.shape.ModelShape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DigitsNetTest {

  private static final Engine ENGINE = TorchEngine.load(System.out::println);
  private static final DigitSet DATA = DigitSet.load().split(1_500, 42).test();
  private static final int[] IMAGES = IntStream.range(0, 64).toArray();

  private final Arena arena = Arena.ofAuto();

  @Test
  void theNetworkHasTheParametersOfItsLayers() {
    // 5*5*1*16+16, 5*5*16*32+32, 512*256+256, 256*10+10
    assertThat(DigitsNet.SHAPE.parameters()).isEqualTo(416 + 12_832 + 131_328 + 2_570);
  }

  @Test
  void aFlatVectorLoadedIntoTensorsIsStoredBackBitForBit() {
    MemorySegment flat = initial();
    MemorySegment back = flatVector();
    try (var manager = ENGINE.newBaseManager(Device.cpu())) {
      var model = new FlatModel(manager, DigitsNet.SHAPE);
      model.load(flat);
      model.store(back);
    }

    assertThat(back.mismatch(flat)).isEqualTo(-1);
  }

  @Test
  void tensorsLieInTheFlatVectorInTheOrderOfTheShape() {
    ModelShape shape = new LayerList().linear("a", 3, 2).bias("b", 2).model("small");
    MemorySegment flat = arena.allocate(shape.bytes());
    for (int i = 0; i < shape.parameters(); i++) {
      flat.setAtIndex(ValueLayout.JAVA_FLOAT, i, i);
    }
    try (var manager = ENGINE.newBaseManager(Device.cpu())) {
      var model = new FlatModel(manager, shape);
      model.load(flat);

      assertThat(model.tensor(0).toFloatArray()).containsExactly(0, 1, 2, 3, 4, 5);
      assertThat(model.tensor(1).toFloatArray()).containsExactly(6, 7);
      assertThat(model.tensor(2).toFloatArray()).containsExactly(8, 9);
    }
  }

  @Test
  void aFlatVectorOfAnotherSizeIsRefused() {
    try (var net = new DigitsNet(ENGINE)) {
      assertThatThrownBy(() -> net.load(arena.allocate(4)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("digits")
          .hasMessageContaining("4");
    }
  }

  @Test
  void theGradientPredictsHowTheLossChanges() {
    MemorySegment parameters = initial();
    MemorySegment gradients = flatVector();
    MemorySegment moved = flatVector();
    MemorySegment unused = flatVector();
    try (var net = new DigitsNet(ENGINE)) {
      net.load(parameters);
      net.gradient(DATA, IMAGES, gradients);
      // Along the gradient the loss must rise by |g|^2 for each unit of the step.
      float step = 1e-3f;
      double predicted = 2 * step * squaredLength(gradients);

      net.load(shifted(parameters, gradients, step, moved));
      double above = net.gradient(DATA, IMAGES, unused);
      net.load(shifted(parameters, gradients, -step, moved));
      double below = net.gradient(DATA, IMAGES, unused);

      assertThat(above - below).isCloseTo(predicted, within(0.02 * predicted));
    }
  }

  @Test
  void theSameBatchTwiceGivesTheSameBits() {
    MemorySegment first = flatVector();
    MemorySegment second = flatVector();
    try (var net = new DigitsNet(ENGINE)) {
      net.load(initial());

      float firstLoss = net.gradient(DATA, IMAGES, first);
      float secondLoss = net.gradient(DATA, IMAGES, second);

      assertThat(secondLoss).isEqualTo(firstLoss);
      assertThat(second.mismatch(first)).isEqualTo(-1);
    }
  }

  @Test
  void anUntrainedNetworkGuesses() {
    try (var net = new DigitsNet(ENGINE)) {
      net.load(initial());
      MemorySegment gradients = flatVector();

      assertThat(net.gradient(DATA, IMAGES, gradients))
          .isCloseTo((float) Math.log(10), within(.2f));
      assertThat(net.correct(DATA)).isBetween(50, 400);
    }
  }

  private MemorySegment flatVector() {
    return arena.allocate(DigitsNet.SHAPE.bytes(), 64);
  }

  private MemorySegment initial() {
    MemorySegment parameters = flatVector();
    InitialParameters.fill(DigitsNet.SHAPE, 42, parameters);
    return parameters;
  }

  private static double squaredLength(MemorySegment vector) {
    double sum = 0;
    for (float value : vector.toArray(ValueLayout.JAVA_FLOAT)) {
      sum += (double) value * value;
    }
    return sum;
  }

  private static MemorySegment shifted(
      MemorySegment from, MemorySegment direction, float step, MemorySegment to) {
    for (long i = 0; i < DigitsNet.SHAPE.parameters(); i++) {
      float value = from.getAtIndex(ValueLayout.JAVA_FLOAT, i);
      float along = direction.getAtIndex(ValueLayout.JAVA_FLOAT, i);
      to.setAtIndex(ValueLayout.JAVA_FLOAT, i, value + step * along);
    }
    return to;
  }
}
