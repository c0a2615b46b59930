package io.maestro.bench.fabric;

import java.util.ArrayList;
import java.util.List;

/** The sizes of the tensors of well-known models, in elements of 4 bytes, layer by layer. */
final class ModelTensors {
  /** What PyTorch's DDP puts together. */
  private static final long BUCKET_BYTES = 25L << 20;

  private final List<Long> elements = new ArrayList<>();

  private ModelTensors() {}

  /** Configuration E of Simonyan and Zisserman: 143,667,240 parameters. */
  static ModelTensors vgg19() {
    ModelTensors model = new ModelTensors();
    int inputs = 3;
    int[] outputs = {64, 64, 128, 128, 256, 256, 256, 256, 512, 512, 512, 512, 512, 512, 512, 512};
    for (int output : outputs) {
      model.add(9L * inputs * output, output);
      inputs = output;
    }
    model.linear(512 * 7 * 7, 4096).linear(4096, 4096).linear(4096, 1000);
    return model;
  }

  /** He, Zhang, Ren and Sun, with projections: 25,557,032 parameters. */
  static ModelTensors resnet50() {
    ModelTensors model = new ModelTensors().convolution(3, 64, 7);
    int inputs = 64;
    int inner = 64;
    for (int blocks : new int[] {3, 4, 6, 3}) {
      for (int block = 0; block < blocks; block++) {
        model.convolution(inputs, inner, 1).convolution(inner, inner, 3);
        model.convolution(inner, 4 * inner, 1);
        if (block == 0) {
          model.convolution(inputs, 4 * inner, 1);
        }
        inputs = 4 * inner;
      }
      inner *= 2;
    }
    return model.linear(inputs, 1000);
  }

  /** The uncased encoder of Devlin, Chang, Lee and Toutanova: 335,141,888 parameters. */
  static ModelTensors bertLarge() {
    int width = 1024;
    ModelTensors model = new ModelTensors();
    model.add(30_522L * width, 512L * width, 2L * width, width, width);
    for (int layer = 0; layer < 24; layer++) {
      model.linear(width, width).linear(width, width).linear(width, width).linear(width, width);
      model.add(width, width);
      model.linear(width, 4 * width).linear(4 * width, width).add(width, width);
    }
    return model.linear(width, width);
  }

  /** Without bias, but with the scale and shift of the normalisation that follows. */
  private ModelTensors convolution(int inputs, int outputs, int side) {
    return add((long) inputs * outputs * side * side, outputs, outputs);
  }

  private ModelTensors linear(int inputs, int outputs) {
    return add((long) inputs * outputs, outputs);
  }

  private ModelTensors add(long... tensors) {
    for (long tensor : tensors) {
      elements.add(tensor);
    }
    return this;
  }

  long bytes() {
    return 4 * elements.stream().mapToLong(Long::longValue).sum();
  }

  /** Tensors put together from the last to the first, as back-propagation makes them ready. */
  List<Long> buckets() {
    List<Long> buckets = new ArrayList<>();
    long open = 0;
    for (long tensor : elements.reversed()) {
      open += 4 * tensor;
      if (open >= BUCKET_BYTES) {
        buckets.add(open);
        open = 0;
      }
    }
    if (open > 0) {
      buckets.add(open);
    }
    return buckets.reversed();
  }
}
