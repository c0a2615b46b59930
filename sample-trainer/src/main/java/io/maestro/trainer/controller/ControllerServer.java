package io.maestro.trainer.controller;

import io.maestro.api.PathDirective;
import io.maestro.api.PathReport;
import io.maestro.control.ControlToken;
import io.maestro.control.ControllerApi;
import io.maestro.control.DirectiveJson;
import io.maestro.control.ReportJson;
import io.maestro.path.FabricPlanner;
import io.maestro.path.Topology;
import io.maestro.verbs.SystemClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Serves a controller with the view of the whole fabric over HTTP: takes reports as JSON and
 * streams directives as server-sent events. {@link ControllerApi} describes the requests.
 */
public final class ControllerServer implements AutoCloseable {
  /** How often it plans, and the longest silence of a stream. */
  static final Duration PERIOD = Duration.ofMillis(200);

  static final int MOST_REPORT_BYTES = 128 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(ControllerServer.class);
  private static final Duration REQUEST = Duration.ofSeconds(5);
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final int WRITE_SECONDS = 5;
  private static final PathDirective HEARTBEAT = new PathDirective.Heartbeat();

  private final Fleet fleet;
  private final byte[] token;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final AtomicInteger streams = new AtomicInteger();
  private final DisposableServer server;
  private final Disposable planning;

  private ControllerServer(InetSocketAddress address, String secret, Fleet.Policy policy) {
    if (secret.isEmpty() && !address.getAddress().isLoopbackAddress()) {
      throw new IllegalStateException(
          "%s is not a loopback address: the controller needs a secret there".formatted(address));
    }
    fleet = new Fleet(policy, SystemClock.INSTANCE);
    token = ControlToken.of(secret).getBytes(StandardCharsets.US_ASCII);
    server =
        HttpServer.create()
            .bindAddress(() -> address)
            .requestTimeout(REQUEST)
            .idleTimeout(IDLE)
            .doOnConnection(this::connected)
            .route(
                routes ->
                    routes
                        .post("/v1/connections/{id}/report", this::report)
                        .get("/v1/connections/{id}/directives", this::directives)
                        .get("/v1/openapi.yaml", ControllerServer::description))
            .bindNow(REQUEST);
    Scheduler scheduler = Schedulers.newSingle("controller", true);
    planning =
        Disposables.composite(
            Flux.interval(PERIOD, scheduler).onBackpressureDrop().subscribe(tick -> plan()),
            scheduler);
  }

  /**
   * A controller of the fabric of a topology.
   *
   * @param secret what the processes of the run know; empty for none, on loopback addresses only
   */
  public static ControllerServer start(
      InetSocketAddress address, String secret, Topology topology) {
    FabricPlanner planner = new FabricPlanner(topology);
    return new ControllerServer(address, secret, reports -> directives(planner, reports));
  }

  static ControllerServer start(InetSocketAddress address, String secret, Fleet.Policy policy) {
    return new ControllerServer(address, secret, policy);
  }

  private static Map<String, List<PathDirective>> directives(
      FabricPlanner planner, Map<String, List<PathReport>> reports) {
    Map<String, List<PathDirective>> all = new HashMap<>();
    planner.plan(reports).forEach((id, assignment) -> all.put(id, assignment.directives()));
    return all;
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.address();
  }

  /** Completes when it has stopped. */
  public Mono<Void> onClose() {
    return server.onDispose();
  }

  private void connected(Connection connection) {
    connections.add(connection.channel());
    connection.addHandlerLast(new WriteTimeoutHandler(WRITE_SECONDS));
  }

  /** Ends all streams too: who followed them decides for itself from now on. */
  @Override
  public void close() {
    planning.dispose();
    server.disposeNow(REQUEST);
    connections.close().syncUninterruptibly();
  }

  private void plan() {
    try {
      fleet.plan();
    } catch (RuntimeException broken) {
      LOG.error("no new plan for {} connections", fleet.size(), broken);
    }
  }

  private boolean isAllowed(HttpServerRequest request) {
    String given = request.requestHeaders().get(HttpHeaderNames.AUTHORIZATION, "");
    return token.length == 0
        || MessageDigest.isEqual(token, given.getBytes(StandardCharsets.UTF_8));
  }

  private Publisher<Void> report(HttpServerRequest request, HttpServerResponse response) {
    if (!isAllowed(request)) {
      return answer(response, 401, "the secret is not that of this controller");
    }
    if (request.requestHeaders().getInt(HttpHeaderNames.CONTENT_LENGTH, 0) > MOST_REPORT_BYTES) {
      return answer(response, 413, "a report has at most %d bytes".formatted(MOST_REPORT_BYTES));
    }
    String id = id(request);
    return request
        .receive()
        .asByteArray()
        .collect(Body::new, Body::add)
        .flatMap(body -> report(id, body, response));
  }

  private Mono<Void> report(String id, Body body, HttpServerResponse response) {
    if (body.isTooLong()) {
      return answer(response, 413, "a report has at most %d bytes".formatted(MOST_REPORT_BYTES));
    }
    try {
      return fleet.report(id, ReportJson.read(body.bytes()))
          ? response.status(204).send()
          : answer(response, 503, "there are %d connections already".formatted(Fleet.MOST));
    } catch (IllegalArgumentException broken) {
      return answer(response, 400, String.valueOf(broken.getMessage()));
    }
  }

  private Publisher<Void> directives(HttpServerRequest request, HttpServerResponse response) {
    if (!isAllowed(request)) {
      return answer(response, 401, "the secret is not that of this controller");
    }
    if (streams.incrementAndGet() > Fleet.MOST) {
      streams.decrementAndGet();
      return answer(response, 503, "there are %d streams already".formatted(Fleet.MOST));
    }
    String id = id(request);
    AtomicReference<List<PathDirective>> said = new AtomicReference<>(List.of());
    Flux<ByteBuf> events =
        Flux.interval(Duration.ZERO, PERIOD)
            .onBackpressureDrop()
            .concatMapIterable(tick -> news(id, said), 1)
            .map(ControllerServer::event)
            .doFinally(end -> streams.decrementAndGet());
    return response.sse().send(events, each -> true);
  }

  private static Publisher<Void> description(
      HttpServerRequest request, HttpServerResponse response) {
    return response
        .header(HttpHeaderNames.CONTENT_TYPE, "application/yaml")
        .sendString(Mono.fromCallable(ControllerApi::description));
  }

  private static ByteBuf event(PathDirective directive) {
    String text = "data: %s\n\n".formatted(DirectiveJson.write(directive));
    return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.UTF_8));
  }

  /** What a connection has not been told yet, or a sign of life. */
  private List<PathDirective> news(String id, AtomicReference<List<PathDirective>> said) {
    List<PathDirective> orders = fleet.orders(id);
    return orders.equals(said.getAndSet(orders)) ? List.of(HEARTBEAT) : orders;
  }

  private static String id(HttpServerRequest request) {
    String id = request.param("id");
    return id == null || id.length() > 64 ? "?" : id;
  }

  private static Mono<Void> answer(HttpServerResponse response, int status, String reason) {
    return response.status(status).sendString(Mono.just(reason + "\n")).then();
  }
}
