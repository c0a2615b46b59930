package io.maestro.trainer.shape;

import java.util.List;

/**
 * ResNet-50 of He, Zhang, Ren and Sun, arXiv 1512.03385, table 1, with the projection shortcuts
 * (option B).
 */
final class ResNet50 {

  private static final int IMAGE_CHANNELS = 3;
  private static final int STEM_CHANNELS = 64;
  private static final int STEM_KERNEL = 7;
  private static final int CLASSES = 1_000;

  /** A bottleneck block widens its inner channels by this factor at its end. */
  private static final int EXPANSION = 4;

  /** The number of bottleneck blocks of conv2_x to conv5_x. */
  private static final List<Integer> STAGES = List.of(3, 4, 6, 3);

  private ResNet50() {}

  static ModelShape shape() {
    var layers = new LayerList();
    layers
        .convolution("conv1", IMAGE_CHANNELS, STEM_CHANNELS, STEM_KERNEL)
        .normalisation("conv1", STEM_CHANNELS);
    int inputs = STEM_CHANNELS;
    int inner = STEM_CHANNELS;
    for (int stage = 0; stage < STAGES.size(); stage++) {
      for (int block = 0; block < STAGES.get(stage); block++) {
        bottleneck(layers, "conv" + (stage + 2) + "_" + (block + 1), inputs, inner);
        inputs = inner * EXPANSION;
      }
      inner *= 2;
    }
    return layers.linear("fc", inputs, CLASSES).model("resnet50");
  }

  private static void bottleneck(LayerList layers, String name, int inputs, int inner) {
    int outputs = inner * EXPANSION;
    layers.convolution(name + ".reduce", inputs, inner, 1).normalisation(name + ".reduce", inner);
    layers.convolution(name + ".middle", inner, inner, 3).normalisation(name + ".middle", inner);
    layers
        .convolution(name + ".expand", inner, outputs, 1)
        .normalisation(name + ".expand", outputs);
    if (inputs != outputs) {
      layers
          .convolution(name + ".shortcut", inputs, outputs, 1)
          .normalisation(name + ".shortcut", outputs);
    }
  }
}
