package io.maestro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The rules of style that only the sources can show, for every module of the build. */
class SourceTest {
  private static final int MAIN_LINES = 400;
  private static final int TEST_LINES = 300;

  @Test
  void noFileOfTheProductIsLongerThan400Lines() {
    assertThat(longerThan(MAIN_LINES, "main")).isEmpty();
  }

  @Test
  void noTestFileIsLongerThan300Lines() {
    assertThat(longerThan(TEST_LINES, "test")).isEmpty();
  }

  private static List<String> longerThan(int limit, String sourceSet) {
    return sources(sourceSet)
        .filter(file -> lines(file) > limit)
        .map(file -> file + ": " + lines(file) + " lines, limit " + limit)
        .toList();
  }

  private static Stream<Path> sources(String sourceSet) {
    Path root = Path.of("").toAbsolutePath().getParent();
    try (Stream<Path> modules = Files.list(root)) {
      return modules
          .map(module -> module.resolve("src").resolve(sourceSet).resolve("java"))
          .filter(Files::isDirectory)
          .toList()
          .stream()
          .flatMap(SourceTest::javaFiles);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
