package io.maestro.ps;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.Region;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guide for users of parameter servers shows code that works. */
class ParameterServerGuideTest {

  private static final Path GUIDE = Path.of("../docs/parameter-server.md");
  private static final Path EXAMPLE =
      Path.of("src/test/java/io/maestro/ps/ParameterServerExample.java");
  private static final int ELEMENTS = 30_000;
  private static final int WORKERS = 2;

  @ParameterizedTest
  @ValueSource(strings = {"server", "worker"})
  void theGuideShowsTheExampleWordForWord(String part) throws IOException {
    String source = Files.readString(EXAMPLE);
    String begin = "    // begin: %s\n".formatted(part);
    int from = source.indexOf(begin) + begin.length();
    String code = source.substring(from, source.indexOf("    // end: %s\n".formatted(part)));
    String unindented =
        code.lines().map(line -> line.replaceFirst("^ {4}", "")).collect(Collectors.joining("\n"));
    assertThat(Files.readString(GUIDE)).contains("```java\n" + unindented + "\n```\n");
  }

  @Test
  void theExampleTrains() throws Exception {
    PsConfig config = PsConfig.with(b -> b.workers(WORKERS));
    List<InetSocketAddress> addresses = List.of(freeAddress(), freeAddress());
    List<Region> results = new ArrayList<>();
    try (Maestro maestro = Maestro.create();
        ExecutorService processes = Executors.newVirtualThreadPerTaskExecutor()) {
      ParameterServerExample example = new ParameterServerExample(maestro, config);
      List<CompletableFuture<Void>> ends = new ArrayList<>();
      for (InetSocketAddress address : addresses) {
        Runnable server = () -> example.serve(address);
        ends.add(CompletableFuture.runAsync(server, processes));
      }
      for (int i = 0; i < WORKERS; i++) {
        int rank = i;
        Region values = Region.allocate(ELEMENTS * Float.BYTES);
        results.add(values);
        ends.add(
            CompletableFuture.runAsync(() -> work(example, addresses, rank, values), processes));
      }
      for (CompletableFuture<Void> end : ends) {
        end.get(1, TimeUnit.MINUTES);
      }
    }
    float[] expected = Gradients.train(new float[ELEMENTS], WORKERS, 100, 0.1f, 0.9f);
    for (Region result : results) {
      assertThat(Worker.read(result)).isEqualTo(expected);
      result.release();
    }
  }

  private static void work(
      ParameterServerExample example, List<InetSocketAddress> addresses, int rank, Region values) {
    try (Region gradient = Region.allocate(values.size())) {
      example.work(addresses, rank, values, gradient);
    }
  }

  private static InetSocketAddress freeAddress() throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    try (ServerSocket probe = new ServerSocket(0, 1, loopback)) {
      return new InetSocketAddress(loopback, probe.getLocalPort());
    }
  }
}
