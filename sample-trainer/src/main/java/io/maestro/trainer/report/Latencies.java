package io.maestro.trainer.report;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** A distribution of durations in nanoseconds, within 0.1 %. Not thread-safe. */
public final class Latencies {

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double NS_PER_MS = 1e6;

  private final Histogram histogram;

  /** Empty. */
  public Latencies() {
    this(new Histogram(SIGNIFICANT_DIGITS));
  }

  private Latencies(Histogram histogram) {
    this.histogram = histogram;
  }

  /** Counts one duration. */
  public void record(long durationNs) {
    histogram.recordValue(Math.max(0, durationNs));
  }

  /** Counts all of another distribution. */
  public void add(Latencies other) {
    histogram.add(other.histogram);
  }

  /** How many were counted. */
  public long count() {
    return histogram.getTotalCount();
  }

  /** The duration that {@code percentile} percent do not exceed, in ms; 0 when there is none. */
  public double ms(double percentile) {
    return count() == 0 ? 0 : histogram.getValueAtPercentile(percentile) / NS_PER_MS;
  }

  /** As text, to be sent to another process. */
  @JsonValue
  String encoded() {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  @JsonCreator
  static Latencies decode(String text) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      return new Latencies(Histogram.decodeFromCompressedByteBuffer(buffer, 0));
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("no encoded histogram: " + text, e);
    }
  }
}
