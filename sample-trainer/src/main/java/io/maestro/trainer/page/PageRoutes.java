package io.maestro.trainer.page;

import io.maestro.trainer.fault.Fault;
import io.maestro.trainer.fault.FaultOrder;
import io.maestro.trainer.role.Spectator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.codec.DecodingException;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebInputException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/** What the page's server answers. */
final class PageRoutes {

  private static final String WEB = "io/maestro/trainer/page/web/";
  private static final String UPLOT = "META-INF/resources/webjars/uplot/1.6.30/dist/";

  private static final String USAGE =
      """
      a fault is {"kind":"CUT"}, {"kind":"SLOW","bytesPerSecond":1000000} or {"kind":"NONE"}""";

  private final RunModel model;
  private final EventStream stream;
  private final JsonMapper mapper;

  PageRoutes(RunModel model, EventStream stream, JsonMapper mapper) {
    this.model = model;
    this.stream = stream;
    this.mapper = mapper;
  }

  RouterFunction<ServerResponse> routes() {
    return RouterFunctions.route()
        .GET("/", request -> index())
        .GET("/api/run", request -> ServerResponse.ok().bodyValue(model.snapshot()))
        .GET("/api/events", request -> events())
        .POST("/api/paths/{path}/fault", this::fault)
        .resources("/lib/**", new ClassPathResource(UPLOT))
        .resources("/**", new ClassPathResource(WEB))
        .filter(new RequestGuard())
        .build();
  }

  private static Mono<ServerResponse> index() {
    return ServerResponse.ok()
        .contentType(MediaType.TEXT_HTML)
        .bodyValue(new ClassPathResource(WEB + "index.html"));
  }

  private Mono<ServerResponse> events() {
    return stream
        .open()
        .map(events -> ServerResponse.ok().body(BodyInserters.fromServerSentEvents(events)))
        .orElseGet(() -> answer(HttpStatus.SERVICE_UNAVAILABLE, "too many pages are open"));
  }

  private Mono<ServerResponse> fault(ServerRequest request) {
    return request
        .bodyToMono(Wish.class)
        .map(Wish::fault)
        .flatMap(fault -> fault(request.pathVariable("path"), fault))
        .switchIfEmpty(Mono.defer(() -> answer(HttpStatus.BAD_REQUEST, "the body is empty")))
        .onErrorResume(PageRoutes::isUnreadable, e -> answer(HttpStatus.BAD_REQUEST, USAGE));
  }

  private static boolean isUnreadable(Throwable e) {
    return e instanceof ServerWebInputException
        || e instanceof DecodingException
        || e instanceof IllegalArgumentException;
  }

  private Mono<ServerResponse> fault(String path, Fault fault) {
    Optional<FaultOrder> order =
        path.matches("\\d{1,3}") ? model.order(Integer.parseInt(path), fault) : Optional.empty();
    if (order.isEmpty()) {
      return answer(HttpStatus.NOT_FOUND, "there is no path " + path + ", or not yet");
    }
    Optional<Spectator.Voice> voice = model.voice();
    if (voice.isEmpty()) {
      return answer(HttpStatus.CONFLICT, "the run is over");
    }
    return tell(voice.get(), Integer.parseInt(path), order.get())
        .then(ServerResponse.noContent().build());
  }

  private Mono<Void> tell(Spectator.Voice voice, int path, FaultOrder order) {
    return Mono.<Void>fromRunnable(
            () -> {
              model.ordered(path, order);
              voice.tell(order.line(mapper));
            })
        .subscribeOn(Schedulers.boundedElastic());
  }

  private static Mono<ServerResponse> answer(HttpStatus status, String reason) {
    return ServerResponse.status(status).contentType(MediaType.TEXT_PLAIN).bodyValue(reason);
  }

  /** A fault as the page asks for it: a rate only where one is needed. */
  record Wish(Fault.@Nullable Kind kind, @Nullable Long bytesPerSecond) {

    Fault fault() {
      if (kind == null) {
        throw new IllegalArgumentException("there is no kind");
      }
      return new Fault(kind, bytesPerSecond == null ? 0 : bytesPerSecond);
    }
  }

  /** Keeps the name of the stream's element type in one place. */
  static ServerSentEvent<Object> event(String name, Object data) {
    return ServerSentEvent.builder(data).event(name).build();
  }
}
