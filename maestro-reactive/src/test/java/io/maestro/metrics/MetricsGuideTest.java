package io.maestro.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of meters in docs/metrics.md. */
class MetricsGuideTest {
  private static final int COLUMNS = 6;

  private static List<List<String>> table() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    Path guide = root.resolve("docs/metrics.md");
    Path text = Files.exists(guide) ? guide : root.resolveSibling("docs").resolve("metrics.md");
    return Files.readAllLines(text).stream()
        .filter(line -> line.startsWith("| `maestro.") && !line.contains("`maestro.metrics."))
        .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList())
        .filter(cells -> cells.size() == COLUMNS)
        .toList();
  }

  private static String row(MaestroMeter meter) {
    String tags =
        meter.tags().stream().map(tag -> "`" + tag + "`").collect(Collectors.joining(", "));
    return String.join(
        " | ",
        "`" + meter.id() + "`",
        meter.kind().name().toLowerCase(Locale.ROOT),
        Objects.requireNonNullElse(meter.unit(), ""),
        tags,
        meter.meaning());
  }

  @Test
  void theGuideListsTheMetersOfTheCodeInItsWords() throws IOException {
    List<String> guide =
        table().stream().map(cells -> String.join(" | ", cells.subList(0, COLUMNS - 1))).toList();
    assertThat(guide)
        .containsExactly(
            Arrays.stream(MaestroMeter.values()).map(MetricsGuideTest::row).toArray(String[]::new));
  }

  @Test
  void theGuideSaysOfEachMeterWhenToLookIntoIt() throws IOException {
    assertThat(table()).allMatch(cells -> !cells.getLast().isEmpty());
  }
}
