package io.maestro.trainer.digits;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;

/**
 * A small convolutional network for the digits. It computes the mean loss of a batch and its
 * gradient, and never changes its own parameters: they come from outside as one flat vector. It has
 * no normalisation over the batch and no dropout, so the mean of the gradients of equal parts of a
 * batch is the gradient of the batch. Used by one thread at a time.
 */
public final class DigitsNet implements AutoCloseable {

  private static final int KERNEL = 5;
  private static final int FIRST_CHANNELS = 16;
  private static final int SECOND_CHANNELS = 32;

  /** 28 pixels less 4 by the first kernel, halved, less 4 by the second, halved. */
  private static final int LAST_SIDE = 4;

  private static final int HIDDEN = 256;

  /** Images in one forward pass when only the accuracy is asked for. */
  private static final int EVALUATION_BATCH = 250;

  private static final Shape POOL = new Shape(2, 2);
  private static final Shape NO_PADDING = new Shape(0, 0);

  /** DJL allows one gradient collector at a time in a JVM. */
  private static final ReentrantLock COLLECTOR = new ReentrantLock();

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

  private final Engine engine;
  private final NDManager manager;
  private final FlatModel model;

  /** A network whose parameters are all 0. */
  public DigitsNet(Engine engine) {
    this.engine = engine;
    manager = engine.newBaseManager(Device.cpu());
    model = new FlatModel(manager, SHAPE);
  }

  /** Copies the parameters from a flat vector, which stays the caller's. */
  public void load(MemorySegment parameters) {
    model.load(parameters);
  }

  /**
   * Computes the gradient of the mean loss of some images.
   *
   * @param gradients receives the flat gradient; stays the caller's
   * @return the mean cross-entropy of the images, in nats
   */
  public float gradient(DigitSet set, int[] images, MemorySegment gradients) {
    COLLECTOR.lock();
    try (NDManager scope = manager.newSubManager();
        GradientCollector collector = engine.newGradientCollector()) {
      NDArray logProbabilities = forward(input(scope, set, images)).logSoftmax(1);
      NDIndex ofLabels = new NDIndex().addAllDim(1).addPickDim(labels(scope, set, images));
      NDArray loss = logProbabilities.get(ofLabels).mean().neg();
      collector.backward(loss);
      model.takeGradients(gradients);
      return loss.getFloat();
    } finally {
      COLLECTOR.unlock();
    }
  }

  /** How many images of a set the network names rightly. */
  public int correct(DigitSet set) {
    int correct = 0;
    for (int start = 0; start < set.size(); start += EVALUATION_BATCH) {
      int end = Math.min(set.size(), start + EVALUATION_BATCH);
      correct += correct(set, IntStream.range(start, end).toArray());
    }
    return correct;
  }

  private int correct(DigitSet set, int[] images) {
    try (NDManager scope = manager.newSubManager()) {
      long[] guesses = forward(input(scope, set, images)).argMax(1).toLongArray();
      return (int)
          IntStream.range(0, images.length).filter(i -> guesses[i] == set.label(images[i])).count();
    }
  }

  @Override
  public void close() {
    manager.close();
  }

  private NDArray forward(NDArray images) {
    NDArray first = pooled(Conv2d.conv2d(images, model.tensor(0), model.tensor(1)));
    NDArray second = pooled(Conv2d.conv2d(first, model.tensor(2), model.tensor(3)));
    NDArray flat = second.reshape(images.getShape().get(0), -1);
    NDArray hidden = only(Linear.linear(flat, model.tensor(4), model.tensor(5)));
    return only(Linear.linear(Activation.relu(hidden), model.tensor(6), model.tensor(7)));
  }

  private static NDArray pooled(NDList convolution) {
    return Pool.maxPool2d(Activation.relu(only(convolution)), POOL, POOL, NO_PADDING, false);
  }

  private static NDArray only(NDList list) {
    return list.singletonOrThrow();
  }

  private static NDArray input(NDManager scope, DigitSet set, int[] images) {
    FloatBuffer pixels = FloatBuffer.allocate(images.length * DigitSet.PIXELS);
    for (int image : images) {
      set.putNormalised(image, pixels);
    }
    Shape shape = new Shape(images.length, 1, DigitSet.SIDE, DigitSet.SIDE);
    return scope.create(pixels.flip(), shape, DataType.FLOAT32);
  }

  private static NDArray labels(NDManager scope, DigitSet set, int[] images) {
    long[] labels = IntStream.of(images).mapToLong(set::label).toArray();
    return scope.create(labels, new Shape(images.length, 1));
  }
}
