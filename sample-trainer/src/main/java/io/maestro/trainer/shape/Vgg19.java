package io.maestro.trainer.shape;

import java.util.List;

/** VGG19, configuration E of Simonyan and Zisserman, arXiv 1409.1556, table 1. */
final class Vgg19 {

  private static final int IMAGE_CHANNELS = 3;
  private static final int KERNEL = 3;
  private static final int CLASSES = 1_000;
  private static final int HIDDEN = 4_096;

  /** Side of the last feature map: an image of 224 pixels halved by five poolings. */
  private static final int LAST_SIDE = 7;

  /** Output channels of each convolution, block by block; a pooling follows each block. */
  private static final List<List<Integer>> BLOCKS =
      List.of(
          List.of(64, 64),
          List.of(128, 128),
          List.of(256, 256, 256, 256),
          List.of(512, 512, 512, 512),
          List.of(512, 512, 512, 512));

  private Vgg19() {}

  static ModelShape shape() {
    var layers = new LayerList();
    int channels = IMAGE_CHANNELS;
    for (int block = 0; block < BLOCKS.size(); block++) {
      List<Integer> outputs = BLOCKS.get(block);
      for (int layer = 0; layer < outputs.size(); layer++) {
        String name = "conv" + (block + 1) + "_" + (layer + 1);
        layers
            .convolution(name, channels, outputs.get(layer), KERNEL)
            .bias(name, outputs.get(layer));
        channels = outputs.get(layer);
      }
    }
    layers.linear("fc6", channels * LAST_SIDE * LAST_SIDE, HIDDEN);
    layers.linear("fc7", HIDDEN, HIDDEN);
    layers.linear("fc8", HIDDEN, CLASSES);
    return layers.model("vgg19");
  }
}
