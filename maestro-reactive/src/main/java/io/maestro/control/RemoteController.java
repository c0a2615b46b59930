package io.maestro.control;

import io.maestro.api.ControlReport;
import io.maestro.api.PathController;
import io.maestro.api.PathDirective;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A controller in another process: reports go out as JSON, directives come in as server-sent
 * events, as {@link ControllerApi} describes them. A stream that breaks or that makes no sense ends
 * with an error; who uses it subscribes again. Never blocks; its threads are those of the JDK's
 * HTTP client.
 */
public final class RemoteController implements PathController {
  /** Who follows gives up sooner; a first TLS handshake may take seconds on a busy machine. */
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private static final Duration ANSWER = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;

  private final HttpClient http;
  private final String base;
  private final String token;

  /**
   * A controller.
   *
   * @param url where it is, with {@code http} or {@code https}; a path in it comes before those of
   *     the requests
   * @param secret what all processes know; empty for none
   * @throws IllegalArgumentException when the URL is not one of a server
   */
  public RemoteController(URI url, String secret) {
    this(url, secret, http -> http);
  }

  /**
   * A controller.
   *
   * @param http sets what the HTTP client is to have beside, such as the {@code SSLContext}
   * @see #RemoteController(URI, String)
   */
  public RemoteController(URI url, String secret, UnaryOperator<HttpClient.Builder> http) {
    this.base = base(url);
    this.token = ControlToken.of(secret);
    this.http =
        http.apply(HttpClient.newBuilder().connectTimeout(CONNECT))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
  }

  /** The URL of a controller that listens at an address, without TLS. */
  public static URI url(InetSocketAddress address) {
    try {
      return new URI("http", null, address.getHostString(), address.getPort(), null, null, null);
    } catch (URISyntaxException noHost) {
      throw new IllegalArgumentException("not an address of a server: " + address, noHost);
    }
  }

  private static String base(URI url) {
    String scheme = String.valueOf(url.getScheme());
    if (!scheme.matches("https?") || url.getHost() == null || url.getQuery() != null) {
      throw new IllegalArgumentException(
          "the URL of a controller is http://host:port or https://host:port, not '%s'"
              .formatted(url));
    }
    String text = url.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  @Override
  public Flux<PathDirective> directives(Flux<ControlReport> reports) {
    return Flux.defer(
        () -> {
          String place = base + "/v1/connections/" + UUID.randomUUID();
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
    HttpRequest request =
        request(place + "/directives").header("Accept", "text/event-stream").build();
    return Mono.fromFuture(() -> http.sendAsync(request, BodyHandlers.ofPublisher()))
        .flatMapMany(response -> directives(response.body()).mergeWith(check(response, OK)));
  }

  private static Flux<PathDirective> directives(Flow.Publisher<List<ByteBuffer>> body) {
    EventLines lines = new EventLines();
    return JdkFlowAdapter.flowPublisherToFlux(body)
        .concatMapIterable(pieces -> pieces, 1)
        .concatMapIterable(lines::take, 1)
        .map(DirectiveJson::read);
  }

  private Mono<Void> post(String place, ControlReport report) {
    return Mono.defer(
            () -> {
              HttpRequest request =
                  request(place + "/report")
                      .header("Content-Type", "application/json")
                      .timeout(ANSWER)
                      .POST(BodyPublishers.ofByteArray(ReportJson.write(report)))
                      .build();
              return Mono.fromFuture(() -> http.sendAsync(request, BodyHandlers.discarding()));
            })
        .flatMap(response -> check(response, NO_CONTENT));
  }

  private HttpRequest.Builder request(String place) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(place));
    return token.isEmpty() ? request : request.header("Authorization", token);
  }

  private static <T> Mono<T> check(HttpResponse<?> response, int wanted) {
    int status = response.statusCode();
    return status == wanted
        ? Mono.empty()
        : Mono.error(
            new IllegalStateException(
                "the controller answered %d to %s %s"
                    .formatted(
                        status, response.request().method(), response.request().uri().getPath())));
  }
}
