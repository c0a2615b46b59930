package io.maestro.testing.fuzz;

import io.maestro.session.ControlFuzz;
import io.maestro.session.HandshakeFuzz;
import io.maestro.verbs.iwarp.SegmentFuzz;
import io.maestro.verbs.iwarp.StartUpFuzz;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What takes bytes from strangers.
 *
 * @param name also that of the folder with its corpus
 */
record FuzzTarget(String name, Consumer<byte[]> target) {
  static final List<FuzzTarget> ALL =
      List.of(
          new FuzzTarget("start-up", StartUpFuzz::fuzzerTestOneInput),
          new FuzzTarget("segments", SegmentFuzz::fuzzerTestOneInput),
          new FuzzTarget("handshake", HandshakeFuzz::fuzzerTestOneInput),
          new FuzzTarget("control", ControlFuzz::fuzzerTestOneInput));

  private static final Path CORPUS = Path.of("src", "test", "resources", "fuzz");

  void run(byte[] input) {
    target.accept(input);
  }

  /** The inputs of its corpus, in the order of their names. */
  List<Path> corpus() {
    try (Stream<Path> files = Files.list(CORPUS.resolve(name))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
