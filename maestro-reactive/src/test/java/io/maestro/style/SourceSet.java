package io.maestro.style;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Java files of all modules below {@code src/main} or below {@code src/test}. */
record SourceSet(List<Path> files) {

  static SourceSet main() {
    return of("main");
  }

  static SourceSet test() {
    return of("test");
  }

  /** What {@code rules} find in the parsed sources, one line for each violation. */
  List<String> violations(Rules rules) {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    List<String> found = new ArrayList<>();
    try (StandardJavaFileManager fileManager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  fileManager,
                  null,
                  null,
                  null,
                  fileManager.getJavaFileObjectsFromPaths(files));
      Iterable<? extends CompilationUnitTree> units = task.parse();
      Trees trees = Trees.instance(task);
      units.forEach(unit -> new RuleScanner(trees, rules, found::add).scan(unit, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  List<String> filesLongerThan(int limit) {
    return files.stream()
        .filter(file -> text(file).lines().count() > limit)
        .map(file -> file + ": " + text(file).lines().count() + " lines, limit " + limit)
        .toList();
  }

  List<String> filesThatSay(String... words) {
    return files.stream()
        .filter(file -> Stream.of(words).anyMatch(text(file)::contains))
        .map(Path::toString)
        .toList();
  }

  private static SourceSet of(String name) {
    Path root = Path.of("").toAbsolutePath().getParent();
    try (Stream<Path> modules = Files.list(root)) {
      List<Path> files =
          modules
              .map(module -> module.resolve("src").resolve(name).resolve("java"))
              .filter(Files::isDirectory)
              .toList()
              .stream()
              .flatMap(SourceSet::javaFiles)
              .toList();
      return new SourceSet(files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> javaFiles(Path folder) {
    try (Stream<Path> found = Files.walk(folder)) {
      return found.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
