package io.maestro.bench;

import io.maestro.api.MaestroConfig;
import io.maestro.api.Region;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * One message after another over four loopback paths, both ends in this process.
 *
 * <p>With {@code -prof gc} the difference between the allocation of two large sizes, divided by the
 * chunks between them, is what a chunk allocates.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-XX:MaxDirectMemorySize=4g"})
public class SessionBenchmark {

  /** Size of a message, in bytes. */
  @Param({"1024", "1048576", "67108864", "268435456"})
  public long bytes;

  private @Nullable LoopbackPair pair;
  private @Nullable Region region;

  /** Connects. */
  @Setup
  public void open() {
    pair = LoopbackPair.open(MaestroConfig.defaults());
    region = Region.allocate(bytes);
  }

  /** Sends a message and waits until the peer has it. */
  @Benchmark
  public void send() {
    if (pair != null && region != null) {
      pair.send(region);
    }
  }

  /** Gives everything back. */
  @TearDown
  public void close() {
    if (pair != null && region != null) {
      pair.close();
      region.close();
    }
  }
}
