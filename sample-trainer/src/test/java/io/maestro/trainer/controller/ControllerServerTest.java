package io.maestro.trainer.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.ControlReport;
import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Heartbeat;
import io.maestro.api.PathDirective.Weights;
import io.maestro.api.PathEvent;
import io.maestro.control.RemoteController;
import io.maestro.path.Topology;
import io.maestro.path.TopologyJson;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Controller and processes over real sockets. */
@Timeout(60)
class ControllerServerTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
  private static final Topology TOPOLOGY = TopologyJson.parse(Rails.topology());
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final ControlReport REPORT =
      new ControlReport("peer", false, List.of(), List.of(new ControlReport.Refusal(1, "no")));

  private static ControllerServer server(String secret) {
    return ControllerServer.start(ANY, secret, TOPOLOGY);
  }

  @Test
  void aConnectionFollowsTheControllerWhileItIsThere() {
    ControllerServer first = server("");
    InetSocketAddress address = first.address();
    Queue<PathEvent> events = new ConcurrentLinkedQueue<>();
    try (Rails rails = new Rails(address, "")) {
      rails.connection().pathEvents().subscribe(events::add);
      rails.await(Rails.STEERED, LIMIT);
      first.close();
      rails.await(Rails.EQUAL, Duration.ofSeconds(1));
      try (ControllerServer second = ControllerServer.start(address, "", TOPOLOGY)) {
        rails.await(Rails.STEERED, LIMIT);
        assertThat(second.address()).isEqualTo(address);
      }
    }
    assertThat(events).filteredOn(PathEvent.Refused.class::isInstance).isEmpty();
  }

  @Test
  void ordersAreSaidOnceAndThenItIsHeartbeats() {
    Weights weights = new Weights(Map.of(0, 1.0));
    Fleet.Policy policy = reports -> Map.of(only(reports), List.of(weights));
    try (ControllerServer server = ControllerServer.start(ANY, "", policy)) {
      Flux<PathDirective> heard =
          new RemoteController(RemoteController.url(server.address()), "")
              .directives(Flux.interval(Duration.ofMillis(50)).map(tick -> REPORT));
      StepVerifier.create(heard.skipWhile(Heartbeat.class::isInstance).take(3))
          .expectNext(weights, new Heartbeat(), new Heartbeat())
          .expectComplete()
          .verify(LIMIT);
    }
  }

  private static String only(Map<String, ?> reports) {
    return reports.keySet().stream().findFirst().orElse("nobody");
  }

  @Test
  void whoDoesNotKnowTheSecretIsRefused() {
    try (ControllerServer server = server("right")) {
      Flux<PathDirective> heard =
          new RemoteController(RemoteController.url(server.address()), "wrong")
              .directives(Flux.never());
      StepVerifier.create(heard)
          .expectErrorMatches(e -> String.valueOf(e.getMessage()).contains("answered 401"))
          .verify(LIMIT);
      StepVerifier.create(
              new RemoteController(RemoteController.url(server.address()), "right")
                  .directives(Flux.never())
                  .next())
          .expectNext(new Heartbeat())
          .expectComplete()
          .verify(LIMIT);
    }
  }

  @Test
  void aReportThatIsRefusedEndsTheStream() {
    try (ControllerServer server = server("")) {
      ControlReport large = new ControlReport("x".repeat(200_000), false, List.of(), List.of());
      Flux<PathDirective> heard =
          new RemoteController(RemoteController.url(server.address()), "")
              .directives(Flux.just(large));
      StepVerifier.create(heard.ignoreElements())
          .expectErrorMatches(e -> String.valueOf(e.getMessage()).contains("answered 413"))
          .verify(LIMIT);
    }
  }

  @Test
  void withoutAControllerTheStreamFailsSoon() {
    ControllerServer gone = server("");
    gone.close();
    StepVerifier.create(
            new RemoteController(RemoteController.url(gone.address()), "")
                .directives(Mono.just(REPORT).flux()))
        .expectError()
        .verify(Duration.ofSeconds(2));
  }

  @Test
  void garbageIsAnsweredWithAReason() throws Exception {
    try (ControllerServer server = server("");
        HttpClient http = HttpClient.newHttpClient()) {
      URI uri =
          URI.create(
              "http://127.0.0.1:%d/v1/connections/1/report".formatted(server.address().getPort()));
      for (String body : List.of("{", "[]", "{}", "{\"paths\":[{}]}")) {
        HttpResponse<String> answer =
            http.send(
                HttpRequest.newBuilder(uri)
                    .timeout(LIMIT)
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(body).isEqualTo(400);
        assertThat(answer.body()).as(body).startsWith("not a report");
      }
    }
  }

  @Test
  void otherAddressesThanLoopbackNeedASecret() {
    InetSocketAddress everywhere = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0);
    assertThatThrownBy(() -> ControllerServer.start(everywhere, "", TOPOLOGY))
        .hasMessageContaining("needs a secret");
  }
}
