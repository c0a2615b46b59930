package io.maestro.trainer.controller;

import io.maestro.api.ControlReport;
import io.maestro.api.PathController;
import io.maestro.api.PathDirective;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;

/**
 * Connects this process to a {@link ControllerServer}: reports go out as JSON, directives come in
 * as server-sent events. A stream that breaks or that makes no sense ends with an error; who uses
 * it subscribes again.
 */
public final class ControllerClient implements PathController {
  private static final int CONNECT_MILLIS = 500;
  private static final Duration ANSWER = Duration.ofMillis(700);
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;

  private final HttpClient http;

  /**
   * A client.
   *
   * @param server where the controller listens
   * @param secret of the run; empty for none
   */
  public ControllerClient(InetSocketAddress server, String secret) {
    String token = ControlToken.of(secret);
    http =
        HttpClient.create()
            .remoteAddress(() -> server)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .disableRetry(true)
            .headers(headers -> headers.set(HttpHeaderNames.AUTHORIZATION, token));
  }

  @Override
  public Flux<PathDirective> directives(Flux<ControlReport> reports) {
    return Flux.defer(
        () -> {
          String place = "/v1/connections/" + UUID.randomUUID();
          AtomicReference<@Nullable Throwable> cause = new AtomicReference<>();
          // Both requests may fail when one has failed already: as values these hurt nobody.
          Mono<Throwable> refusal =
              reports
                  .onBackpressureLatest()
                  .concatMap(report -> failure(post(place, report)), 0)
                  .concatWith(Mono.never())
                  .next()
                  .doOnNext(failure -> cause.compareAndSet(null, failure));
          return listen(place)
              .onErrorResume(
                  failure -> {
                    cause.compareAndSet(null, failure);
                    return Mono.empty();
                  })
              .takeUntilOther(refusal)
              .concatWith(Mono.defer(() -> end(cause.get())));
        });
  }

  private static Mono<Throwable> failure(Mono<Void> work) {
    return work.then(Mono.<Throwable>empty()).onErrorResume(Mono::just);
  }

  private static Mono<PathDirective> end(@Nullable Throwable cause) {
    return cause == null ? Mono.empty() : Mono.error(cause);
  }

  private Flux<PathDirective> listen(String place) {
    return http.get()
        .uri(place + "/directives")
        .response(
            (response, body) -> check(response, OK).thenMany(Flux.defer(() -> directives(body))));
  }

  private static Flux<PathDirective> directives(ByteBufFlux body) {
    EventLines lines = new EventLines();
    return body.asByteArray().concatMapIterable(lines::take, 1).map(DirectiveJson::read);
  }

  private Mono<Void> post(String place, ControlReport report) {
    return http.responseTimeout(ANSWER)
        .post()
        .uri(place + "/report")
        .send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(ReportJson.write(report))))
        .response((response, body) -> check(response, NO_CONTENT).thenMany(body.then()))
        .then();
  }

  private static Mono<Void> check(HttpClientResponse response, int wanted) {
    int status = response.status().code();
    return status == wanted
        ? Mono.empty()
        : Mono.error(
            new IllegalStateException(
                "the controller answered %d to %s %s"
                    .formatted(status, response.method(), response.uri())));
  }
}
