package io.maestro.collective;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How fast vectors are reduced, beside what memory can do: {@link #copy} reads and writes as many
 * bytes as it copies, a reduction reads twice as many and writes as many.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class ReductionBenchmark {

  /** Bytes of a vector: one that stays in the cache, and one that does not. */
  @Param({"65536", "67108864"})
  public long bytes;

  /** What is reduced; the sum alone is what training needs. */
  @Param({"FLOAT32", "FLOAT64", "FLOAT16", "BFLOAT16", "INT32", "INT64"})
  public ElementType type = ElementType.FLOAT32;

  private final Arena arena = Arena.ofShared();
  private MemorySegment into = MemorySegment.NULL;
  private MemorySegment from = MemorySegment.NULL;

  /** Fills both vectors with small numbers. */
  @Setup(Level.Trial)
  public void fill() {
    into = arena.allocate(bytes, 64);
    from = arena.allocate(bytes, 64);
    for (long at = 0; at < bytes; at += 8) {
      into.set(ValueLayout.JAVA_LONG, at, 0);
      from.set(ValueLayout.JAVA_LONG, at, 0);
    }
  }

  /** Frees them. */
  @TearDown(Level.Trial)
  public void free() {
    arena.close();
  }

  /** Memory at its fastest. */
  @Benchmark
  public void copy() {
    into.copyFrom(from);
  }

  /** A sum. */
  @Benchmark
  public void sum() {
    new Reduction(type, ReduceOp.SUM).accumulate(into, from);
  }

  /** A maximum. */
  @Benchmark
  public void max() {
    new Reduction(type, ReduceOp.MAX).accumulate(into, from);
  }
}
