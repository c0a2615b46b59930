package io.maestro.trainer.grafana;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the folder grafana holds. */
public final class Monitoring {
  private static final Path FOLDER = Path.of("..", "grafana");

  private Monitoring() {}

  /**
   * Something that Prometheus is asked.
   *
   * @param where the file and what in it
   */
  public record Expression(String where, String text) {}

  /** The folder with the configuration of Prometheus. */
  public static Path prometheus() {
    return FOLDER.resolve("prometheus");
  }

  /** The dashboards. */
  public static List<JsonNode> dashboards() {
    JsonMapper mapper = new JsonMapper();
    return files(FOLDER.resolve("dashboards"), ".json")
        .map(Monitoring::text)
        .map(mapper::readTree)
        .toList();
  }

  /** The panels of a dashboard. */
  public static List<JsonNode> panels(JsonNode dashboard) {
    return dashboard.path("panels").valueStream().toList();
  }

  /** The expressions of all panels of all dashboards. */
  public static List<Expression> ofPanels() {
    List<Expression> all = new ArrayList<>();
    for (JsonNode dashboard : dashboards()) {
      for (JsonNode panel : panels(dashboard)) {
        String where = dashboard.path("title").asString() + " / " + panel.path("title").asString();
        panel
            .path("targets")
            .forEach(target -> all.add(new Expression(where, target.path("expr").asString())));
      }
    }
    return all;
  }

  /** The expressions of the lists that dashboards offer to choose from. */
  public static List<Expression> ofVariables() {
    List<Expression> all = new ArrayList<>();
    for (JsonNode dashboard : dashboards()) {
      for (JsonNode variable : dashboard.path("templating").path("list")) {
        if (variable.path("type").asString().equals("query")) {
          String definition = variable.path("definition").asString();
          String selector =
              definition.substring("label_values(".length(), definition.lastIndexOf(','));
          String label =
              definition.substring(definition.lastIndexOf(',') + 1, definition.length() - 1);
          all.add(
              new Expression(
                  dashboard.path("title").asString() + " / $" + variable.path("name").asString(),
                  "count by (%s) (%s)".formatted(label.strip(), selector)));
        }
      }
    }
    return all;
  }

  /** The rules that record, or those that alert: the key of their name and the name. */
  public static List<Map<String, Object>> rules(String key) {
    List<Map<String, Object>> all = new ArrayList<>();
    files(prometheus(), ".rules.yml")
        .map(Monitoring::text)
        .map(
            text ->
                new Yaml(new SafeConstructor(new LoaderOptions())).<Map<String, Object>>load(text))
        .flatMap(file -> maps(file.get("groups")))
        .flatMap(group -> maps(group.get("rules")))
        .filter(rule -> rule.containsKey(key))
        .forEach(all::add);
    return all;
  }

  /** The expressions of rules. */
  public static List<Expression> ofRules(String key) {
    return rules(key).stream()
        .map(rule -> new Expression(key + " " + rule.get(key), String.valueOf(rule.get("expr"))))
        .toList();
  }

  @SuppressWarnings("unchecked")
  private static Stream<Map<String, Object>> maps(Object list) {
    return ((List<Map<String, Object>>) list).stream();
  }

  private static Stream<Path> files(Path folder, String end) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList().stream();
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
