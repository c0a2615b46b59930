package io.maestro.trainer.digits;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/**
 * Images of handwritten digits with their labels: 28 × 28 grey values of 0 (paper) to 255 (ink).
 */
public final class DigitSet {

  /** Side of an image in pixels. */
  public static final int SIDE = 28;

  /** Pixels of an image. */
  public static final int PIXELS = SIDE * SIDE;

  /** Number of different labels. */
  public static final int CLASSES = 10;

  private static final String RESOURCE = "digits.bin.gz";
  private static final int MAGIC = 0x4d444947; // "MDIG"

  /** Mean and standard deviation of the grey values of MNIST's training images, scaled to 0..1. */
  private static final float MEAN = 0.1307f;

  private static final float DEVIATION = 0.3081f;

  private final byte[] labels;
  private final byte[] pixels;

  private DigitSet(byte[] labels, byte[] pixels) {
    this.labels = labels;
    this.pixels = pixels;
  }

  /** Training images and the images kept back to measure the accuracy. */
  public record Split(DigitSet training, DigitSet test) {}

  /**
   * Reads the 10,000 bundled digits, ordered by label. Blocks for some ten milliseconds.
   *
   * @throws UncheckedIOException when the resource is missing or damaged
   */
  public static DigitSet load() {
    try (InputStream file = DigitSet.class.getResourceAsStream(RESOURCE)) {
      if (file == null) {
        throw new IOException("resource " + RESOURCE + " is missing from the class path");
      }
      return read(new DataInputStream(new GZIPInputStream(file, 1 << 16)));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the bundled digits: " + e.getMessage(), e);
    }
  }

  private static DigitSet read(DataInputStream in) throws IOException {
    int magic = in.readInt();
    int count = in.readInt();
    int rows = in.readInt();
    int columns = in.readInt();
    if (magic != MAGIC || rows != SIDE || columns != SIDE || count < 1) {
      throw new IOException(RESOURCE + " does not hold images of " + SIDE + " x " + SIDE);
    }
    byte[] labels = new byte[count];
    in.readFully(labels);
    byte[] pixels = new byte[count * PIXELS];
    in.readFully(pixels);
    return new DigitSet(labels, pixels);
  }

  /**
   * Deals the images at random, but the same for the same seed.
   *
   * @param testCount how many images are kept back
   */
  public Split split(int testCount, long seed) {
    int[] order = Permutations.of(size(), seed);
    return new Split(
        pick(Arrays.copyOfRange(order, testCount, order.length)),
        pick(Arrays.copyOf(order, testCount)));
  }

  private DigitSet pick(int[] indices) {
    byte[] pickedLabels = new byte[indices.length];
    byte[] pickedPixels = new byte[indices.length * PIXELS];
    for (int i = 0; i < indices.length; i++) {
      pickedLabels[i] = labels[indices[i]];
      System.arraycopy(pixels, indices[i] * PIXELS, pickedPixels, i * PIXELS, PIXELS);
    }
    return new DigitSet(pickedLabels, pickedPixels);
  }

  /** The number of images. */
  public int size() {
    return labels.length;
  }

  /** The digit that image {@code index} shows. */
  public int label(int index) {
    return labels[index];
  }

  /** Grey value, 0..255, of one pixel, row by row. */
  public int grey(int index, int pixel) {
    return Byte.toUnsignedInt(pixels[index * PIXELS + pixel]);
  }

  /**
   * Appends the pixels of image {@code index}, shifted and scaled to mean 0 and deviation 1 over
   * the data.
   */
  void putNormalised(int index, FloatBuffer target) {
    for (int pixel = 0; pixel < PIXELS; pixel++) {
      target.put((grey(index, pixel) / 255f - MEAN) / DEVIATION);
    }
  }
}
