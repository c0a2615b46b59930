package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The table of the guide is what the generated metadata says. */
class ConfigurationGuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "configuration.md");
  private static final String METADATA = "/META-INF/spring-configuration-metadata.json";

  @Test
  void theTableOfTheGuideIsThatOfTheMetadata() throws IOException {
    List<String> rows = new ArrayList<>();
    for (JsonNode property : properties()) {
      rows.add(row(property));
    }
    List<String> written =
        Files.readAllLines(GUIDE).stream().filter(line -> line.startsWith("| `maestro.")).toList();
    assertThat(String.join("\n", written)).isEqualTo(String.join("\n", rows));
  }

  @Test
  void everyPropertyHasADescriptionAndADefaultOrSaysWhatHappensWithoutOne() throws IOException {
    for (JsonNode property : properties()) {
      String name = property.path("name").asString();
      String description = property.path("description").asString("");
      assertThat(description).as(name).endsWith(".").matches("[A-Z].*");
      if (!property.has("defaultValue")) {
        assertThat(description).as(name).containsAnyOf("when not set", "Empty:", "by name", "None");
      }
    }
  }

  private static List<JsonNode> properties() throws IOException {
    try (InputStream metadata = MaestroProperties.class.getResourceAsStream(METADATA)) {
      return new JsonMapper()
          .readTree(metadata)
          .path("properties")
          .valueStream()
          .filter(each -> each.path("name").asString().startsWith("maestro."))
          .toList();
    }
  }

  private static String row(JsonNode property) {
    String value = property.path("defaultValue").asString("");
    return "| `%s` | %s | %s |"
        .formatted(
            property.path("name").asString(),
            value.isEmpty() ? "" : "`" + value + "`",
            property.path("description").asString().replace("|", "\\|"));
  }
}
