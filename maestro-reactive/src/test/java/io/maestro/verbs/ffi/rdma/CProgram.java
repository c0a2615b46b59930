package io.maestro.verbs.ffi.rdma;

import io.maestro.testing.Prerequisite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** C that a test compiles. */
final class CProgram {
  private static final long DEADLINE_S = 60;

  private CProgram() {}

  /** What compiling against the headers of the RDMA libraries needs. */
  static void requireHeaders() {
    Prerequisite.requireAll(
        Prerequisite.command("gcc"),
        Prerequisite.of(
            "the headers of libibverbs and librdmacm",
            "apt-get install libc6-dev libibverbs-dev librdmacm-dev",
            () ->
                Stream.of("infiniband/verbs.h", "rdma/rdma_cma.h")
                    .allMatch(header -> Files.exists(Path.of("/usr/include", header)))));
  }

  /** Compiles a source beside itself into {@code target}. */
  static void compile(Path source, Path target, String... options)
      throws IOException, InterruptedException {
    List<String> command =
        Stream.of(
                Stream.of("gcc", "-Wall", "-Wextra", "-Werror", "-o", target.toString()),
                Stream.of(options),
                Stream.of(source.toString()))
            .flatMap(each -> each)
            .toList();
    run(command);
  }

  /** Runs a command, and returns the lines that it prints. */
  static List<String> run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("c-program", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean ended = process.waitFor(DEADLINE_S, TimeUnit.SECONDS);
      process.destroyForcibly();
      List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
      if (!ended || process.exitValue() != 0) {
        throw new AssertionError(command + " failed: " + String.join("\n", lines));
      }
      return lines;
    } finally {
      Files.delete(output);
    }
  }
}
