package io.maestro.trainer.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelShapeTest {

  @ParameterizedTest
  @CsvSource({
    "vgg19, 143667240, 574668960, 38",
    "resnet50, 25557032, 102228128, 161",
    "bert-large, 335141888, 1340567552, 391"
  })
  void aPublishedModelHasItsPublishedNumberOfParameters(
      String name, long parameters, long bytes, int tensors) {
    ModelShape shape = Model.named(name).orElseThrow().shape();

    assertThat(shape.name()).isEqualTo(name);
    assertThat(shape.parameters()).isEqualTo(parameters);
    assertThat(shape.bytes()).isEqualTo(bytes);
    assertThat(shape.tensors()).hasSize(tensors);
  }

  @Test
  void vgg19sFirstFullyConnectedLayerIsTheLargestTensor() {
    ModelShape shape = Model.VGG19.shape();

    TensorShape largest =
        shape.tensors().stream()
            .max((a, b) -> Long.compare(a.elements(), b.elements()))
            .orElseThrow();

    assertThat(largest).isEqualTo(TensorShape.of("fc6.weight", 4096, 25_088));
  }

  @Test
  void anUnknownModelIsNoModel() {
    assertThat(Model.named("vgg11")).isEmpty();
    assertThat(Model.names()).isEqualTo("vgg19, bert-large, resnet50");
  }

  @Test
  void aTensorNamedTwiceIsRefused() {
    var layers = new LayerList().bias("fc", 3).bias("fc", 4);

    assertThatThrownBy(() -> layers.model("twice"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("twice has the tensor fc.bias twice");
  }

  @Test
  void aTensorWithoutElementsIsRefused() {
    assertThatThrownBy(() -> TensorShape.of("empty", 3, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("empty");
    assertThatThrownBy(() -> new TensorShape("none", List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none");
  }

  @Test
  void theFanInOfAKernelCountsItsInputsTimesItsArea() {
    assertThat(TensorShape.of("kernel", 32, 16, 5, 5).fanIn()).isEqualTo(400);
    assertThat(TensorShape.of("kernel", 32, 16, 5, 5).isWeight()).isTrue();
    assertThat(TensorShape.of("bias", 32).isWeight()).isFalse();
  }
}
