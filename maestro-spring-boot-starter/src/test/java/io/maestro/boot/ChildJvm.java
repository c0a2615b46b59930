package io.maestro.boot;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/** Runs a class in a JVM of its own. */
final class ChildJvm {
  private static final int PATIENCE_SECONDS = 90;

  /** What an application with only the starter does not have. */
  private static final Pattern OPTIONAL =
      Pattern.compile("actuat|security|web|http|netty|test|junit|mockito|health|jackson");

  private static final List<String> NATIVE_ACCESS = List.of("--enable-native-access=ALL-UNNAMED");

  private ChildJvm() {}

  /** What it wrote to both of its streams, and how it ended. */
  record Output(int exitCode, List<String> lines) {}

  /** Runs it to its end. */
  static Output run(Class<?> main, List<String> options, List<String> arguments)
      throws IOException, InterruptedException {
    return run(
        command(options, System.getProperty("java.class.path"), main.getName(), arguments), null);
  }

  /** Runs it to its end with a class path of its own. */
  static Output runOn(String classPath, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return run(command(NATIVE_ACCESS, classPath, main.getName(), List.of(arguments)), null);
  }

  /**
   * Runs a class with nothing but the starter on the class path, and asks it to end once it has
   * written something.
   *
   * @param text a part of the line that is waited for
   */
  static Output runUntil(String text, Path classes, String main)
      throws IOException, InterruptedException {
    String path = classes + File.pathSeparator + classPath(entry -> true);
    return run(command(NATIVE_ACCESS, path, main, List.of()), text);
  }

  /** That of an application which has the starter and nothing else, as far as it is wanted. */
  static String classPath(Predicate<Path> wanted) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(entry -> !OPTIONAL.matcher(entry.getFileName().toString()).find())
        .filter(wanted)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static List<String> command(
      List<String> options, String classPath, String main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(arguments);
    return command;
  }

  private static Output run(List<String> command, @Nullable String until)
      throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var deadline =
        Schedulers.parallel()
            .schedule(process::destroyForcibly, PATIENCE_SECONDS, TimeUnit.SECONDS);
    List<String> lines = new ArrayList<>();
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
        if (until != null && line.contains(until)) {
          process.toHandle().destroy(); // Unlike that of the process, it leaves the streams open.
        }
      }
      return new Output(process.waitFor(), lines);
    } finally {
      deadline.dispose();
      process.destroyForcibly();
    }
  }
}
