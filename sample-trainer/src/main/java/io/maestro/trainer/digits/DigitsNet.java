package io.maestro.trainer.digits;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.pooling.Pool;
import ai.djl.training.GradientCollector;
import io.maestro.trainer.shape.LayerList;
import io.maestro.trainer.shape.ModelShape;
import java.lang.foreign.MemorySegment;
import java.nio.FloatBuffer;

/**
 * A small convolutional network for the digits. It computes the mean loss of a batch and its gradient; it never changes its own
 * parameters: they come from outside as one flat vector. It has no normalisation over the batch and no dropout, so the mean of
 * the gradients of equal parts of a batch is the gradient of the batch. One thread at a time.
 */
public final class DigitsNet implements AutoCloseable {

  private static final int KERNEL = 5;
  private static final int FIRST_CHANNELS = 16;
  private static final int SECOND_CHANNELS = 32;
  private static final int LAST_SIDE = 4;
  private static final int HIDDEN = 256;

  /** Images in one forward pass when only the accuracy is asked for. */
  private static final int EVALUATION_BATCH = 250;

  private static final Shape POOL = new Shape(2, 2);
  private static final Shape NO_PADDING = new Shape(0, 0);

  /** The parameters in flat order. */
  public static final ModelShape SHAPE =
      new LayerList()
          .convolution("conv1", 1, FIRST_CHANNELS, KERNEL)
          .bias("conv1", FIRST_CHANNELS)
          .convolution("conv2", FIRST_CHANNELS, SECOND_CHANNELS, KERNEL)
          .bias("conv2", SECOND_CHANNELS)
          .linear("fc1", SECOND_CHANNELS * LAST_SIDE * LAST_SIDE, HIDDEN)
          .linear("fc2", HIDDEN, DigitSet.CLASSES)
          .model("digits");

  private final NDManager manager;
  private final FlatModel model;

  /** A network with all parameters 0, on the engine that {@link TorchEngine#load} has loaded. */
  public DigitsNet(Engine engine) {
    manager = engine.newBaseManager();
    model = new FlatModel(manager, SHAPE);
  }

  /** Copies the parameters from a flat vector of {@code SHAPE.bytes()} bytes, which stays the caller's. */
  public void load(MemorySegment parameters) {
    model.load(parameters);
  }

  /**
   * Computes the gradient of the mean loss of some images.
   *
   * @param gradients receives the flat gradient, {@code SHAPE.bytes()} bytes; stays the caller's
   * @return the mean cross-entropy of the images, in nats
   */
  public float gradient(DigitSet set, int[] images, MemorySegment gradients) {
    try (NDManager scope = manager.newSubManager();
        GradientCollector collector = Engine.getInstance().newGradientCollector()) {
      NDArray scores = forward(input(scope, set, images));
      NDArray labels = labels(scope, set, images);
      NDArray loss = scores.logSoftmax(-1).get(new ai.djl.ndarray.index.NDIndex().addAllDim(1).addPickDim(labels)).mean().neg();
      collector.backward(loss);
      model.storeGradients(gradients);
      return loss.getFloat();
    }
  }

  /** How many images the network names rightly. */
  public int correct(DigitSet set) {
    int correct = 0;
    for (int start = 0; start < set.size(); start += EVALUATION_BATCH) {
      int[] images = range(start, Math.min(set.size(), start + EVALUATION_BATCH));
      try (NDManager scope = manager.newSubManager()) {
        long[] guesses = forward(input(scope, set, images)).argMax(1).toLongArray();
        for (int i = 0; i < images.length; i++) {
          correct += guesses[i] == set.label(images[i]) ? 1 : 0;
        }
      }
    }
    return correct;
  }

  @Override
  public void close() {
    manager.close();
  }

  private NDArray forward(NDArray images) {
    NDArray first = pooled(Conv2d.conv2d(images, model.tensor(0), model.tensor(1)));
    NDArray second = pooled(Conv2d.conv2d(first, model.tensor(2), model.tensor(3)));
    NDArray flat = second.reshape(images.getShape().get(0), -1);
    NDList hidden = Linear.linear(flat, model.tensor(4), model.tensor(5));
    return Linear.linear(Activation.relu(hidden.singletonOrThrow()), model.tensor(6), model.tensor(7)).singletonOrThrow();
  }

  private static NDArray pooled(NDList convolution) {
    return Pool.maxPool2d(Activation.relu(convolution.singletonOrThrow()), POOL, POOL, NO_PADDING, false);
  }

  private static NDArray input(NDManager scope, DigitSet set, int[] images) {
    FloatBuffer pixels = FloatBuffer.allocate(images.length * DigitSet.PIXELS);
    for (int image : images) {
      set.putNormalised(image, pixels);
    }
    return scope.create(pixels.flip(), new Shape(images.length, 1, DigitSet.SIDE, DigitSet.SIDE), DataType.FLOAT32);
  }

  private static NDArray labels(NDManager scope, DigitSet set, int[] images) {
    long[] labels = new long[images.length];
    for (int i = 0; i < images.length; i++) {
      labels[i] = set.label(images[i]);
    }
    return scope.create(labels, new Shape(images.length, 1));
  }

  private static int[] range(int start, int end) {
    return java.util.stream.IntStream.range(start, end).toArray();
  }
}
