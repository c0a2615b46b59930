package io.maestro.trainer.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What makes a dashboard one that works in any Grafana and explains itself. */
class DashboardsTest {
  private static final int COLUMNS = 24;
  private static final Set<String> UNITS =
      Set.of("short", "none", "Bps", "bytes", "s", "ops", "percent", "percentunit");
  private static final Set<String> KINDS = Set.of("timeseries", "stat", "gauge", "state-timeline");

  @Test
  void thereAreTheFourThatTheGuideNames() {
    assertThat(Monitoring.dashboards())
        .extracting(dashboard -> dashboard.path("uid").asString())
        .containsExactly(
            "maestro-failures", "maestro-overview", "maestro-paths", "maestro-training");
  }

  @Test
  void eachHasATitleADescriptionLinksAndRefreshesItself() {
    for (JsonNode dashboard : Monitoring.dashboards()) {
      String name = dashboard.path("uid").asString();
      assertThat(dashboard.path("title").asString()).as(name).startsWith("Maestro / ");
      assertThat(dashboard.path("description").asString()).as(name).endsWith(".");
      assertThat(dashboard.path("schemaVersion").asInt()).as(name).isGreaterThanOrEqualTo(39);
      assertThat(dashboard.path("refresh").asString()).as(name).isNotEmpty();
      assertThat(dashboard.path("tags").path(0).asString()).as(name).isEqualTo("maestro");
      assertThat(dashboard.path("links").path(0).path("tags").path(0).asString())
          .isEqualTo("maestro");
      assertThat(dashboard.has("id")).as("%s has the id of somebody's database", name).isFalse();
    }
  }

  @Test
  void eachLetsItsUserChooseSourceJobAndInstance() {
    for (JsonNode dashboard : Monitoring.dashboards()) {
      List<String> names =
          dashboard
              .path("templating")
              .path("list")
              .valueStream()
              .map(variable -> variable.path("name").asString())
              .toList();
      assertThat(names).startsWith("datasource", "job", "instance");
      for (JsonNode panel : Monitoring.panels(dashboard)) {
        for (JsonNode target : panel.path("targets")) {
          String expression = target.path("expr").asString();
          assertThat(expression).contains("job=~\"$job\"", "instance=~\"$instance\"");
          assertThat(expression.contains("$peer") && !names.contains("peer")).isFalse();
        }
      }
    }
  }

  @Test
  void eachPanelSaysWhatItShowsInWhichUnit() {
    for (JsonNode dashboard : Monitoring.dashboards()) {
      for (JsonNode panel : Monitoring.panels(dashboard)) {
        String name = dashboard.path("title").asString() + " / " + panel.path("title").asString();
        assertThat(panel.path("title").asString()).as(name).isNotEmpty();
        assertThat(panel.path("description").asString()).as(name).endsWith(".");
        assertThat(KINDS).as(name).contains(panel.path("type").asString());
        assertThat(UNITS)
            .as(name)
            .contains(panel.path("fieldConfig").path("defaults").path("unit").asString());
        assertThat(panel.path("datasource").path("uid").asString())
            .as(name)
            .isEqualTo("${datasource}");
        assertThat(panel.path("targets").size()).as(name).isPositive();
        panel
            .path("targets")
            .forEach(
                target -> assertThat(target.path("legendFormat").asString()).as(name).isNotEmpty());
      }
    }
  }

  @Test
  void panelsHaveNumbersOfTheirOwnAndDoNotOverlap() {
    for (JsonNode dashboard : Monitoring.dashboards()) {
      Set<Integer> ids = new HashSet<>();
      Set<Integer> cells = new HashSet<>();
      for (JsonNode panel : Monitoring.panels(dashboard)) {
        assertThat(ids.add(panel.path("id").asInt())).isTrue();
        JsonNode at = panel.path("gridPos");
        int left = at.path("x").asInt();
        int top = at.path("y").asInt();
        assertThat(left + at.path("w").asInt()).isLessThanOrEqualTo(COLUMNS);
        IntStream.range(top, top + at.path("h").asInt())
            .flatMap(
                row ->
                    IntStream.range(left, left + at.path("w").asInt())
                        .map(column -> row * COLUMNS + column))
            .forEach(cell -> assertThat(cells.add(cell)).isTrue());
      }
    }
  }

  @Test
  void linksLeadToDashboardsThatThereAre() {
    List<String> uids =
        Monitoring.dashboards().stream().map(each -> each.path("uid").asString()).toList();
    for (JsonNode dashboard : Monitoring.dashboards()) {
      for (JsonNode panel : Monitoring.panels(dashboard)) {
        for (JsonNode link : panel.path("links")) {
          String url = link.path("url").asString();
          assertThat(uids).contains(url.substring("/d/".length(), url.indexOf('?')));
        }
      }
    }
    Monitoring.rules("alert")
        .forEach(
            rule ->
                assertThat(uids)
                    .anyMatch(
                        uid -> String.valueOf(rule.get("annotations")).contains("/d/" + uid)));
  }
}
