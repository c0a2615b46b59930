package io.maestro.collective;

import io.maestro.api.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The tensors of one step in a region, which become ready from the last to the first, as gradients
 * do in back-propagation. Neighbours are put together into buckets, and {@link
 * Communicator#allReduce(Buckets, ElementType, ReduceOp)} reduces a bucket while the tensors of
 * others are still being computed.
 *
 * <p>For one call: each step makes its own. Methods may be called from any thread and never block.
 */
public final class Buckets {

  /** What PyTorch's DDP gathers, too. */
  public static final long DEFAULT_BYTES = 25L << 20;

  private final Region region;
  private final int[] bucketOf;
  private final AtomicIntegerArray told;
  private final List<Bucket> buckets = new ArrayList<>();

  private Buckets(Region region, List<Long> tensorBytes, long bucketBytes) {
    this.region = region;
    bucketOf = new int[tensorBytes.size()];
    told = new AtomicIntegerArray(tensorBytes.size());
    long end = region.size();
    long start = end;
    int tensors = 0;
    for (int tensor = tensorBytes.size() - 1; tensor >= 0; tensor--) {
      start -= tensorBytes.get(tensor);
      tensors++;
      bucketOf[tensor] = buckets.size();
      if (end - start >= bucketBytes || tensor == 0) {
        buckets.add(new Bucket(new Piece(region, start, end - start), tensors));
        end = start;
        tensors = 0;
      }
    }
  }

  /**
   * Buckets of {@link #DEFAULT_BYTES}.
   *
   * @param region holds the tensors one after the other, without gaps
   * @param tensorBytes size of each, in their order
   */
  public static Buckets of(Region region, List<Long> tensorBytes) {
    return of(region, tensorBytes, DEFAULT_BYTES);
  }

  /**
   * Buckets of a size, to be the same on all ranks.
   *
   * @param region holds the tensors one after the other, without gaps
   * @param tensorBytes size of each, in their order
   * @param bucketBytes a bucket is full when it has this many; a tensor is never cut
   */
  public static Buckets of(Region region, List<Long> tensorBytes, long bucketBytes) {
    long sum = tensorBytes.stream().mapToLong(Long::longValue).sum();
    if (tensorBytes.isEmpty()) {
      throw new IllegalArgumentException("there is no tensor");
    }
    if (sum != region.size() || tensorBytes.stream().anyMatch(bytes -> bytes < 0)) {
      throw new IllegalArgumentException(
          "tensors of %d bytes do not fill a region of %d bytes".formatted(sum, region.size()));
    }
    return new Buckets(region, tensorBytes, bucketBytes);
  }

  /**
   * A tensor has its values, which must not be touched from now until the call has ended.
   *
   * @param tensor its place in the region, from 0
   * @throws IllegalStateException when it was ready already
   */
  public void ready(int tensor) {
    Objects.checkIndex(tensor, bucketOf.length);
    if (told.getAndSet(tensor, 1) != 0) {
      throw new IllegalStateException(
          "tensor %d was ready already: make new buckets for each step".formatted(tensor));
    }
    buckets.get(bucketOf[tensor]).tensorIsReady();
  }

  /** All tensors have their values. */
  public void allReady() {
    for (int tensor = bucketOf.length - 1; tensor >= 0; tensor--) {
      ready(tensor);
    }
  }

  Region region() {
    return region;
  }

  /** In the order in which they are reduced. */
  List<Bucket> inOrder() {
    return buckets;
  }

  /** In bytes, in the order in which they are reduced. */
  List<Long> sizes() {
    return buckets.stream().map(bucket -> bucket.piece().bytes()).toList();
  }

  /** Tensors that are reduced together. */
  static final class Bucket {

    private final Piece piece;
    private final AtomicInteger awaited;
    private final Sinks.Empty<Void> ready = Sinks.empty();

    private Bucket(Piece piece, int tensors) {
      this.piece = piece;
      awaited = new AtomicInteger(tensors);
    }

    Piece piece() {
      return piece;
    }

    Mono<Void> whenReady() {
      return ready.asMono();
    }

    private void tensorIsReady() {
      if (awaited.decrementAndGet() == 0) {
        ready.tryEmitEmpty();
      }
    }
  }
}
