package io.maestro.trainer.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Where the report is written to, if anywhere. */
public final class ReportFile {

  private final @Nullable Path path;
  private final JsonMapper mapper;

  private ReportFile(@Nullable Path path, JsonMapper mapper) {
    this.path = path;
    this.mapper = mapper;
  }

  /**
   * Makes the file's folder, so that a run does not find at its end that it cannot report.
   *
   * @param path the file; null for no report
   * @throws UncheckedIOException when the file cannot be written
   */
  public static ReportFile open(@Nullable Path path, JsonMapper mapper) {
    if (path != null) {
      try {
        Files.createDirectories(path.toAbsolutePath().getParent());
        Files.deleteIfExists(path);
        Files.createFile(path);
      } catch (IOException e) {
        throw new UncheckedIOException("the report cannot be written: " + e, e);
      }
    }
    return new ReportFile(path, mapper);
  }

  /** Writes the report as JSON; nothing without a file. */
  public void write(RunReport report) {
    if (path != null) {
      mapper.writerWithDefaultPrettyPrinter().writeValue(path.toFile(), report);
    }
  }
}
