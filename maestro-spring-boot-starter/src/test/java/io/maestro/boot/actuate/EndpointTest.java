package io.maestro.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class EndpointTest {
  private static OperatorApplication application;

  @BeforeAll
  static void start() {
    application =
        OperatorApplication.start("--management.endpoint.maestro.access=unrestricted").connect();
  }

  @AfterAll
  static void end() {
    application.close();
  }

  private static String place(String name) {
    return "/" + application.id(name);
  }

  @Test
  void bothSidesAreShownByTheirNamesWithTheirPaths() {
    JsonNode all = application.read("");
    assertThat(all.path("provider").asString()).isEqualTo("iwarp");
    assertThat(all.path("balancer").asString()).isEqualTo("cnp-weighted");
    assertThat(all.path("connections").size()).isEqualTo(2);
    for (String name : new String[] {"a", "b"}) {
      JsonNode paths = application.read(place(name)).path("paths");
      assertThat(paths.size()).isEqualTo(4);
      for (JsonNode path : paths) {
        assertThat(path.path("local").asString()).startsWith("127.0.0.");
        assertThat(path.path("windowBytes").asLong()).isPositive();
        assertThat(path.path("breaker").isString()).isTrue();
      }
    }
  }

  @Test
  void anOperatorDeniesAPathAndAllowsItAgain() {
    String place = place("b");
    application.post("operator", place + "/2", "{\"state\":\"DENY\"}").expectStatus().isNoContent();
    JsonNode denied = application.await(place, view -> weight(view, 2) == 0);
    assertThat(denied.path("marks").path("2").asString()).isEqualTo("DENY");
    application.post("operator", place + "/2", "{\"state\":\"GOOD\"}").expectStatus().isNoContent();
    JsonNode allowed = application.await(place, view -> weight(view, 2) > 0);
    assertThat(allowed.path("marks").size()).isZero();
  }

  @Test
  void anOperatorSetsSharesOfOneSideAndTakesThemBack() {
    String place = place("a");
    application.post("operator", place, "{\"weights\":\"0=3,1=1\"}").expectStatus().isNoContent();
    JsonNode set = application.await(place, view -> weight(view, 3) == 0);
    assertThat(weight(set, 0)).isGreaterThan(2 * weight(set, 1));
    assertThat(set.path("weights").path("0").asDouble()).isEqualTo(3);
    assertThat(application.read(place("b")).path("weights").size()).isZero();
    application
        .as("operator")
        .delete()
        .uri("/actuator/maestro" + place)
        .exchange()
        .expectStatus()
        .isNoContent();
    application.await(place, view -> weight(view, 3) > 0);
  }

  private static double weight(JsonNode connection, int path) {
    return connection.path("paths").path(path).path("weight").asDouble();
  }

  @Test
  void steeringNeedsTheRole() {
    String mark = place("b") + "/1";
    application.post("viewer", mark, "{\"state\":\"DENY\"}").expectStatus().isForbidden();
    application
        .as("viewer")
        .delete()
        .uri("/actuator/maestro" + place("b"))
        .exchange()
        .expectStatus()
        .isForbidden();
    application
        .anonymous()
        .get()
        .uri("/actuator/maestro")
        .exchange()
        .expectStatus()
        .isUnauthorized();
    assertThat(application.read(place("b")).path("marks").size()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/ID/9|{\"state\":\"DENY\"}|has no path '9'",
        "/ID/1|{\"state\":\"BROKEN\"}|''",
        "/99|{\"weights\":\"\"}|there is no connection '99'",
        "/ID|{\"weights\":\"0=much\"}|must be a number, was 'much'",
        "/ID|{\"weights\":\"0\"}|at least one",
        "/ID|{\"weights\":\"0=-1\"}|must be from 0",
        "/ID|{\"weights\":\"9=1\"}|has no path '9'",
        "/ID|{}|weights"
      })
  void whatMakesNoSenseIsRefusedWithTheReason(String place, String body, String reason) {
    application
        .post("operator", place.replace("ID", application.id("b")), body)
        .expectStatus()
        .isBadRequest()
        .expectBody(String.class)
        .value(answer -> assertThat(answer).contains(reason));
  }

  @Test
  void aConnectionThatIsNotThereIsNotFound() {
    application
        .as("viewer")
        .get()
        .uri("/actuator/maestro/99")
        .exchange()
        .expectStatus()
        .isNotFound();
  }

  @Test
  void whatHappenedToPathsIsShown() {
    String place = place("b");
    String peer = application.read(place).path("peer").asString();
    CircuitBreaker breaker =
        application.bean(CircuitBreakerRegistry.class).getAllCircuitBreakers().stream()
            .filter(each -> each.getName().contains(peer) && each.getName().endsWith("path 3"))
            .findFirst()
            .orElseThrow();
    breaker.transitionToForcedOpenState();
    JsonNode down = application.await(place, view -> view.toString().contains("\"kind\":\"Down\""));
    assertThat(down.path("paths").toString()).contains("FORCED_OPEN");
    breaker.reset();
    application.await(place, view -> !view.path("paths").toString().contains("DOWN"));
  }

  @Test
  void theDoctorLooksAtWhatMatters() {
    JsonNode report = application.read("/doctor");
    assertThat(report.path("verdict").asString()).isIn("OK", "INFO", "WARNING");
    assertThat(report.path("findings").findValuesAsString("check"))
        .contains("provider", "native access", "security", "addresses", "aliases", "memory");
  }

  @Test
  void withoutMoreItOnlyShows() {
    try (OperatorApplication plain = OperatorApplication.start().connect()) {
      plain
          .post("operator", "/" + plain.id("b"), "{\"weights\":\"1=1\"}")
          .expectStatus()
          .isEqualTo(405);
      assertThat(plain.read("").path("connections").toString()).doesNotContain("Steered");
    }
  }
}
