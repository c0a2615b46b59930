package io.maestro.trainer.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.trainer.grafana.Monitoring.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dashboards and rules name series and labels that the code has. */
class MeterNamesTest {
  private static final Map<String, Set<String>> KNOWN = new TreeMap<>();

  @BeforeAll
  static void scrape() throws Exception {
    KNOWN.putAll(Scrape.series());
    for (Map<String, Object> rule : Monitoring.rules("record")) {
      PromQl names = PromQl.of(String.valueOf(rule.get("expr")));
      KNOWN.put(String.valueOf(rule.get("record")), names.labels());
    }
  }

  @Test
  void ofPanels() {
    assertThat(unknown(Monitoring.ofPanels())).isEmpty();
  }

  @Test
  void ofVariables() {
    assertThat(unknown(Monitoring.ofVariables())).isEmpty();
  }

  @Test
  void ofRecordingRules() {
    assertThat(unknown(Monitoring.ofRules("record"))).isEmpty();
  }

  @Test
  void ofAlerts() {
    assertThat(unknown(Monitoring.ofRules("alert"))).isEmpty();
  }

  @Test
  void aMeterOrTagThatDoesNotExistIsFound() {
    assertThat(unknown(List.of(new Expression("here", "sum(maestro_path_byte_total)"))))
        .containsExactly("here: there is no series maestro_path_byte_total");
    assertThat(unknown(List.of(new Expression("here", "sum by (rail) (maestro_path_weight)"))))
        .containsExactly("here: no series of it has a label rail");
  }

  private static List<String> unknown(List<Expression> expressions) {
    assertThat(expressions).isNotEmpty();
    List<String> wrong = new ArrayList<>();
    for (Expression expression : expressions) {
      PromQl names = PromQl.of(expression.text());
      Set<String> labels = new TreeSet<>();
      for (String metric : names.metrics()) {
        if (!KNOWN.containsKey(metric)) {
          wrong.add("%s: there is no series %s".formatted(expression.where(), metric));
        }
        labels.addAll(KNOWN.getOrDefault(metric, names.labels()));
      }
      names.labels().stream()
          .filter(label -> !labels.contains(label))
          .forEach(
              label ->
                  wrong.add(
                      "%s: no series of it has a label %s".formatted(expression.where(), label)));
    }
    return wrong;
  }
}
