package io.maestro.trainer.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.test.web.reactive.server.HttpHandlerConnector;
import org.springframework.test.web.reactive.server.WebTestClient;

class PageRoutesTest {

  private static final String CUT = "{\"kind\":\"CUT\"}";

  private final PageRig rig = new PageRig();
  private final WebTestClient client =
      WebTestClient.bindToServer(new HttpHandlerConnector(rig.handler))
          .responseTimeout(Duration.ofSeconds(30))
          .baseUrl("http://127.0.0.1:8080")
          .defaultHeader("Host", "127.0.0.1:8080")
          .build();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void aCutGoesToAllProcessesByTheAddressOfTheVirtualNic() {
    rig.begun().sampled("worker 0", 0, 0, 0);

    fault("2", CUT).expectStatus().isNoContent();

    assertThat(rig.told)
        .containsExactly(
            "{\"virtualNic\":\"127.0.0.3\",\"fault\":{\"kind\":\"CUT\",\"bytesPerSecond\":0}}");
    assertThat(rig.model.frame().paths().get(2).fault().kind().name()).isEqualTo("CUT");
    assertThat(rig.model.snapshot().news().getLast().text()).startsWith("cut");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"kind\":\"SLOW\"}",
        "{\"kind\":\"CUT\",\"bytesPerSecond\":5}",
        "{\"kind\":\"BURN\"}",
        "[1]",
        "{",
        ""
      })
  void whatIsNoFaultIsRefused(String body) {
    rig.begun().sampled("worker 0", 0);

    fault("0", body).expectStatus().isBadRequest();

    assertThat(rig.told).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"7", "-1", "x", "99999999999"})
  void aPathThatIsNotThereIsNotFound(String path) {
    rig.begun().sampled("worker 0", 0);

    fault(path, CUT).expectStatus().isNotFound();
  }

  @Test
  void aRunThatIsOverTakesNoFault() {
    rig.begun().sampled("worker 0", 0);
    rig.model.ended(true, "done");

    fault("0", CUT).expectStatus().isEqualTo(HttpStatus.CONFLICT);
  }

  @ParameterizedTest
  @CsvSource({
    "Origin, http://evil.example, 403",
    "Origin, null, 403",
    "Origin, http://127.0.0.1:9999, 403",
    "Origin, http://127.0.0.1:8080, 204",
    "Sec-Fetch-Site, cross-site, 403",
    "Sec-Fetch-Site, same-site, 403",
    "Sec-Fetch-Site, same-origin, 204",
    "Host, evil.example:8080, 421",
    "Host, 127.0.0.1.evil.example, 421",
    "Host, localhost:8080, 204",
    "Host, [::1]:8080, 204",
    "Content-Type, text/plain, 415",
    "Content-Type, application/x-www-form-urlencoded, 415"
  })
  void anotherSiteCannotChangeAnything(String header, String value, int status) {
    rig.begun().sampled("worker 0", 0);

    client
        .post()
        .uri("/api/paths/0/fault")
        .contentType(MediaType.APPLICATION_JSON)
        .headers(headers -> headers.set(header, value))
        .body(
            org.springframework.web.reactive.function.BodyInserters.fromDataBuffers(
                reactor.core.publisher.Mono.fromSupplier(
                    () ->
                        new org.springframework.core.io.buffer.DefaultDataBufferFactory()
                            .wrap(CUT.getBytes(UTF_8)))))
        .exchange()
        .expectStatus()
        .isEqualTo(status);

    assertThat(rig.told).hasSize(status == 204 ? 1 : 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/api/run", "/lib/uPlot.esm.js", "/lib/uPlot.min.css"})
  void everythingIsServedUnderTheStrictPolicy(String place) {
    client
        .get()
        .uri(place)
        .exchange()
        .expectStatus()
        .isOk()
        .expectHeader()
        .valueEquals("Content-Security-Policy", PageHeaders.POLICY)
        .expectHeader()
        .valueEquals("X-Content-Type-Options", "nosniff");
    assertThat(PageHeaders.POLICY).contains("default-src 'none'").doesNotContain("unsafe");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/LivePage.class", "/../TrainerRun.class", "/nothing", "/lib/../x"})
  void whatIsNotOfThePageIsNotServed(String place) {
    client.get().uri(place).exchange().expectStatus().is4xxClientError();
  }

  @Test
  void aStreamBeginsWithAllThatIsKnownAndGoesOnWithFramesUntilTheRunEnds() {
    rig.begun().sampled("worker 0", 0);

    List<String> names =
        client
            .get()
            .uri("/api/events")
            .exchange()
            .expectStatus()
            .isOk()
            .expectHeader()
            .contentTypeCompatibleWith(MediaType.TEXT_EVENT_STREAM)
            .returnResult(new ParameterizedTypeReference<ServerSentEvent<String>>() {})
            .getResponseBody()
            .map(event -> Objects.requireNonNull(event.event()))
            .doOnNext(
                name -> {
                  if (name.equals("frame")) {
                    rig.stream.close();
                  }
                })
            .collectList()
            .block(Duration.ofSeconds(10));

    assertThat(names).first().isEqualTo("snapshot");
    assertThat(names).contains("frame").last().isEqualTo("end");
  }

  private WebTestClient.ResponseSpec fault(String path, String body) {
    return client
        .post()
        .uri("/api/paths/{path}/fault", path)
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue(body)
        .exchange();
  }
}
