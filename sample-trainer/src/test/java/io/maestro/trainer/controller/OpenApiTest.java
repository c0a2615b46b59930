package io.maestro.trainer.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.maestro.api.ControlReport;
import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Heartbeat;
import io.maestro.api.PathDirective.Mark;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathDirective.Weights;
import io.maestro.api.PathReport;
import io.maestro.api.PathSet;
import io.maestro.control.ControlToken;
import io.maestro.control.ControllerApi;
import io.maestro.control.DirectiveJson;
import io.maestro.control.ReportJson;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the description says is what the server and the connections do. */
@Timeout(60)
class OpenApiTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
  private static final String SECRET = "secret";

  /** Beyond {@link Fleet#MOST}: too many sockets to be made for a test; FleetTest refuses. */
  private static final int FULL = 503;

  private static final int NOT_FOUND = 404;

  private static final JsonMapper MAPPER = new JsonMapper();
  private static final JsonNode API =
      MAPPER.valueToTree(new Yaml().<Object>load(ControllerApi.description()));

  private static List<String> violations(String schema, String json) {
    String root =
        "{\"$ref\":\"#/components/schemas/%s\",\"components\":%s}"
            .formatted(schema, API.path("components"));
    Schema compiled =
        SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(root);
    return compiled.validate(json, InputFormat.JSON).stream().map(Object::toString).toList();
  }

  static Stream<PathDirective> directives() {
    return Stream.of(
        new Heartbeat(),
        new Weights(Map.of(0, 0.5, 63, 0.0)),
        new Weights(Map.of()),
        new Mark(new PathSet.Path(3), State.GOOD),
        new Mark(new PathSet.Link("leaf1", "spine2"), State.ASSUMED_BAD),
        new Mark(
            new PathSet.Pair(InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("::1")),
            State.DENY));
  }

  @ParameterizedTest
  @MethodSource("directives")
  void whatIsSaidIsDescribed(PathDirective directive) {
    String json = DirectiveJson.write(directive);
    assertThat(violations("Directive", json)).as(json).isEmpty();
    assertThat(DirectiveJson.read(json)).isEqualTo(directive);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{\"directive\":\"stop\"}",
        "{\"directive\":\"mark\",\"state\":\"DENY\"}",
        "{\"directive\":\"mark\",\"state\":\"WORSE\",\"path\":1}",
        "{\"directive\":\"mark\",\"state\":\"DENY\",\"from\":\"leaf1\"}",
        "{\"directive\":\"weights\"}",
        "{\"directive\":\"weights\",\"byPath\":{\"one\":1}}",
        "{\"directive\":\"weights\",\"byPath\":{\"1\":-1}}"
      })
  void whatIsNotDescribedIsNotUnderstood(String json) {
    assertThat(violations("Directive", json)).isNotEmpty();
    assertThatThrownBy(() -> DirectiveJson.read(json)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void everyFieldOfAReportIsDescribedAndEveryDescribedFieldIsThere() {
    try (ControllerServer server = ControllerServer.start(ANY, "", reports -> Map.of());
        Rails rails = new Rails(server.address(), "")) {
      List<PathReport> paths = rails.connection().paths();
      String json =
          new String(
              ReportJson.write(
                  new ControlReport(
                      "p", true, paths, List.of(new ControlReport.Refusal(-1, "no")))),
              StandardCharsets.UTF_8);
      assertThat(violations("Report", json)).as(json).isEmpty();
      JsonNode report = MAPPER.readTree(json);
      assertThat(names(report)).isEqualTo(described("Report"));
      assertThat(names(report.path("paths").path(0))).isEqualTo(described("Path"));
      assertThat(names(report.path("refusals").path(0))).isEqualTo(described("Refusal"));
      assertThat(states()).containsExactly(namesOf(PathReport.State.values()));
    }
  }

  private static Set<String> names(JsonNode object) {
    return new TreeSet<>(object.propertyNames());
  }

  private static Set<String> described(String schema) {
    return names(API.path("components").path("schemas").path(schema).path("properties"));
  }

  private static List<String> states() {
    List<String> states = new ArrayList<>();
    API.at("/components/schemas/Path/properties/state/enum")
        .forEach(state -> states.add(state.stringValue()));
    return states;
  }

  private static String[] namesOf(Enum<?>[] values) {
    return Arrays.stream(values).map(Enum::name).toArray(String[]::new);
  }

  @Test
  void eachAnswerIsDescribedAndEachDescribedAnswerIsGiven() throws Exception {
    try (ControllerServer server = ControllerServer.start(ANY, SECRET, reports -> Map.of());
        HttpClient http = HttpClient.newHttpClient()) {
      Caller caller = new Caller(http, server.address().getPort());
      assertThat(caller.answers("/v1/openapi.yaml", "get"))
          .containsExactly(caller.get("/v1/openapi.yaml", ""));
      String stream = "/v1/connections/{id}/directives";
      assertThat(caller.answers(stream, "get"))
          .containsExactlyInAnyOrder(
              caller.get(stream, ControlToken.of(SECRET)), caller.get(stream, "Bearer no"), FULL);
      String report = "/v1/connections/{id}/report";
      String good =
          new String(
              ReportJson.write(new ControlReport("p", true, List.of(), List.of())),
              StandardCharsets.UTF_8);
      List<Integer> given =
          List.of(
              caller.post(report, "Bearer no", good),
              caller.post(report, ControlToken.of(SECRET), "{}"),
              caller.post(report, ControlToken.of(SECRET), " ".repeat(200_000)),
              caller.post(report, ControlToken.of(SECRET), good),
              FULL);
      assertThat(given).containsExactlyInAnyOrderElementsOf(caller.answers(report, "post"));
      assertThat(names(API.path("paths"))).containsExactly(stream, report, "/v1/openapi.yaml");
      assertThat(caller.get("/v1/connections", "")).isEqualTo(NOT_FOUND);
    }
  }

  /** Asks as a client would that knows nothing but the description. */
  private record Caller(HttpClient http, int port) {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    List<Integer> answers(String path, String method) {
      return API.path("paths").path(path).path(method).path("responses").propertyNames().stream()
          .map(Integer::valueOf)
          .toList();
    }

    int get(String path, String token) throws Exception {
      HttpResponse<Stream<String>> answer =
          http.send(request(path, token).GET().build(), BodyHandlers.ofLines());
      try (Stream<String> body = answer.body()) {
        assertThat(body.findFirst().isPresent()).isEqualTo(answer.statusCode() != NOT_FOUND);
      }
      return answer.statusCode();
    }

    int post(String path, String token, String body) throws Exception {
      HttpRequest request =
          request(path, token)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body))
              .build();
      return http.send(request, BodyHandlers.discarding()).statusCode();
    }

    private HttpRequest.Builder request(String path, String token) {
      URI uri = URI.create("http://127.0.0.1:" + port + path.replace("{id}", "42x"));
      HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(LIMIT);
      return token.isEmpty() ? request : request.header("Authorization", token);
    }
  }
}
