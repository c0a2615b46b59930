package io.maestro.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.testing.Prerequisite;
import io.maestro.trainer.grafana.EcnAsked;
import io.maestro.trainer.grafana.Monitoring;
import io.maestro.trainer.grafana.Monitoring.Expression;
import io.maestro.trainer.grafana.PromQl;
import io.maestro.trainer.grafana.PrometheusProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real Prometheus with the rules that users get, and a trainer that trains while it is watched.
 */
@Tag("system")
@Timeout(240)
class PrometheusIT {
  private static final long PATIENCE_NS = Duration.ofSeconds(90).toNanos();

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private EcnAsked ecn;
  private TrainerProcess trainer;
  private PrometheusProcess prometheus;
  private int page;

  @BeforeEach
  void start() throws Exception {
    Prerequisite.command("prometheus").require();
    Prerequisite.root().require();
    ecn = new EcnAsked();
    int[] ports = freePorts();
    page = ports[1];
    trainer =
        TrainerProcess.start(
            "--epochs=10000", "--metrics=" + ports[2], "--page=" + page, "--paths=4");
    prometheus = PrometheusProcess.start(folder, ports[0], ports[2]);
    trainer.awaitLine("epoch 1/");
    until("Prometheus answers", prometheus::isReady);
  }

  @AfterEach
  void end() {
    if (trainer != null) {
      trainer.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
    if (ecn != null) {
      ecn.close();
    }
    http.close();
  }

  /** Five ports in a row: Prometheus, page, server and two workers. */
  private static int[] freePorts() throws IOException {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    while (true) {
      List<ServerSocket> sockets = new ArrayList<>();
      try {
        sockets.add(new ServerSocket(0, 1, loopback));
        int first = sockets.getFirst().getLocalPort();
        for (int index = 1; index < 5; index++) {
          sockets.add(new ServerSocket(first + index, 1, loopback));
        }
        return new int[] {first, first + 1, first + 2};
      } catch (IOException | IllegalArgumentException taken) {
        // Others may be free.
      } finally {
        for (ServerSocket socket : sockets) {
          socket.close();
        }
      }
    }
  }

  private void until(String what, Callable<Boolean> condition) throws Exception {
    until(what, condition, List.of());
  }

  private void until(String what, Callable<Boolean> condition, List<?> waiting) throws Exception {
    long startNs = System.nanoTime();
    while (!condition.call()) {
      assertThat(System.nanoTime() - startNs)
          .as("%s, still waiting: %s; the trainer said:%n%s", what, waiting, trainer.output())
          .isLessThan(PATIENCE_NS);
      trainer.process().waitFor(200, TimeUnit.MILLISECONDS);
    }
  }

  private void fault(int path, String kind) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/api/paths/%d/fault".formatted(page, path));
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{\"kind\":\"%s\"}".formatted(kind)))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
  }

  @Test
  void everyExpressionHasDataAndAlertsComeWithACutAndGoWithItsEnd() throws Exception {
    everyExpressionHasData();
    assertThat(prometheus.firing()).doesNotContain("MaestroPathDown", "MaestroOnePathLeft");

    fault(1, "CUT");
    until("a path is down", () -> prometheus.firing().contains("MaestroPathDown"));
    assertThat(prometheus.firing()).doesNotContain("MaestroOnePathLeft");
    fault(2, "CUT");
    fault(3, "CUT");
    until("one path is left", () -> prometheus.firing().contains("MaestroOnePathLeft"));

    for (int path = 1; path < 4; path++) {
      fault(path, "NONE");
    }
    until("one path is left no more", () -> !prometheus.firing().contains("MaestroOnePathLeft"));
    until("no path is down", () -> !prometheus.firing().contains("MaestroPathDown"));
    assertThat(trainer.process().isAlive()).as(trainer.output()).isTrue();
  }

  private void everyExpressionHasData() throws Exception {
    List<Expression> waiting = new ArrayList<>();
    Monitoring.ofPanels().forEach(waiting::add);
    Monitoring.ofVariables().forEach(waiting::add);
    Monitoring.ofRules("record").forEach(waiting::add);
    for (Expression alert : Monitoring.ofRules("alert")) {
      waiting.add(new Expression(alert.where(), PromQl.withoutFilter(alert.text())));
    }
    int all = waiting.size();
    assertThat(all).isGreaterThan(60);
    until(
        "every expression has data",
        () -> {
          for (Expression each : List.copyOf(waiting)) {
            if (prometheus.hasData(filled(each.text()))) {
              waiting.remove(each);
            }
          }
          return waiting.isEmpty();
        },
        waiting);
  }

  /** As Grafana asks when everything is chosen. */
  private static String filled(String expression) {
    return expression
        .replaceAll("\\$(job|instance|peer)\\b", ".*")
        .replace("$__rate_interval", "1m");
  }
}
