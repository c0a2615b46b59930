package io.maestro.boot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a class in a JVM of its own. */
final class ChildJvm {
  private static final int PATIENCE_SECONDS = 90;

  private ChildJvm() {}

  /** What it wrote to both of its streams, and how it ended. */
  record Output(int exitCode, List<String> lines) {}

  static Output run(Class<?> main, List<String> options, List<String> arguments)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("child", ".log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("still running: " + Files.readAllLines(log));
      }
      return new Output(process.exitValue(), Files.readAllLines(log));
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(log);
    }
  }
}
