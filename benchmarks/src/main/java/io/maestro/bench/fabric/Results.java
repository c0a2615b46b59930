package io.maestro.bench.fabric;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.internal.chartpart.Chart;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Where an experiment leaves its figures and pictures: {@code benchmarks/results}. */
final class Results {
  private static final Path FOLDER = Path.of("benchmarks", "results");

  private Results() {}

  static void json(String name, Object value) throws IOException {
    Files.createDirectories(FOLDER);
    ObjectMapper mapper = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    Files.writeString(FOLDER.resolve(name + ".json"), mapper.writeValueAsString(value) + "\n");
  }

  static void svg(String name, Chart<?, ?> chart) throws IOException {
    Files.createDirectories(FOLDER);
    try (OutputStream file = Files.newOutputStream(FOLDER.resolve(name + ".svg"))) {
      VectorGraphicsEncoder.saveVectorGraphic(chart, file, VectorGraphicsFormat.SVG);
    }
  }

  /** The last line: one JSON object for programs. */
  static void lastLine(Map<String, ?> figures) {
    Map<String, Object> rounded = new LinkedHashMap<>(figures);
    rounded.replaceAll((name, value) -> value instanceof Double exact ? rounded(exact) : value);
    System.out.println(new ObjectMapper().writeValueAsString(rounded));
  }

  private static double rounded(double value) {
    return Math.rint(value * 1000) / 1000;
  }
}
