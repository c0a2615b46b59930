package io.maestro.trainer.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Prometheus with the configuration that users get, but in a hurry: it scrapes and evaluates
 * twice a second, and alerts wait for one second where they wait for more.
 */
public final class PrometheusProcess implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper mapper = new JsonMapper();
  private final Process process;
  private final Path log;
  private final int port;

  private PrometheusProcess(Process process, Path log, int port) {
    this.process = process;
    this.log = log;
    this.port = port;
  }

  /**
   * Starts it.
   *
   * @param folder of its own
   * @param port where it listens
   * @param firstTarget port of the first of the three processes that it scrapes
   */
  public static PrometheusProcess start(Path folder, int port, int firstTarget) throws IOException {
    for (String name : new String[] {"prometheus.yml", "recording.rules.yml", "alerts.rules.yml"}) {
      String text = Files.readString(Monitoring.prometheus().resolve(name));
      for (int index = 0; index < 3; index++) {
        text = text.replace("127.0.0.1:" + (9471 + index), "127.0.0.1:" + (firstTarget + index));
      }
      String hurried =
          text.replaceAll("(scrape_interval|evaluation_interval): 15s", "$1: 500ms")
              .replaceAll("for: \\d+[sm]", "for: 1s");
      Files.writeString(folder.resolve(name), hurried);
    }
    Path log = folder.resolve("prometheus.log");
    Process process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + folder.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new PrometheusProcess(process, log, port);
  }

  /** Whether an expression has a value that is a number. */
  public boolean hasData(String expression) throws IOException, InterruptedException {
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    JsonNode answer = get("query?query=" + query);
    assertThat(answer.path("status").asString())
        .as("%s: %s", expression, answer)
        .isEqualTo("success");
    return answer
        .path("data")
        .path("result")
        .valueStream()
        .map(series -> series.path("value").path(1).asString())
        .anyMatch(value -> !value.equals("NaN"));
  }

  /** The names of the alerts that fire. */
  public Set<String> firing() throws IOException, InterruptedException {
    Set<String> names = new TreeSet<>();
    for (JsonNode alert : get("alerts").path("data").path("alerts")) {
      if (alert.path("state").asString().equals("firing")) {
        names.add(alert.path("labels").path("alertname").asString());
      }
    }
    return names;
  }

  /** Whether it answers. */
  public boolean isReady() throws InterruptedException {
    assertThat(process.isAlive()).as(log()).isTrue();
    try {
      return get("status/buildinfo").path("status").asString().equals("success");
    } catch (IOException notYet) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private JsonNode get(String what) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:%d/api/v1/%s".formatted(port, what));
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(LIMIT).build();
    return mapper.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().orTimeout(5, TimeUnit.SECONDS).exceptionally(late -> null).join();
    process.destroyForcibly();
    http.close();
  }
}
