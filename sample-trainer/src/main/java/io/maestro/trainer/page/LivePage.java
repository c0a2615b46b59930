package io.maestro.trainer.page;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.RunListener;
import io.maestro.trainer.role.Spectator;
import io.maestro.verbs.NanoClock;
import io.netty.channel.ChannelException;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.RouterFunctions;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import tools.jackson.databind.json.JsonMapper;

/** The page of a run, served on loopback by the process that starts the others. */
public final class LivePage implements AutoCloseable {

  private static final int MOST_TRIES = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final RunModel model;
  private final EventStream stream;
  private final DisposableServer server;

  private LivePage(RunModel model, EventStream stream, DisposableServer server) {
    this.model = model;
    this.stream = stream;
    this.server = server;
  }

  /**
   * Serves the page of a run at the wanted port or, when it is taken, one of the next; nothing when
   * all are taken. Blocks until it is open.
   */
  public static Optional<LivePage> start(
      TrainerOptions options, NanoClock clock, JsonMapper mapper) {
    var model = new RunModel(options.job(), clock);
    var stream = new EventStream(model);
    HttpHandler handler = handler(new PageRoutes(model, stream, mapper));
    int first = options.page().port();
    for (int port = first; port < first + MOST_TRIES && port <= 65_535; port++) {
      try {
        return Optional.of(new LivePage(model, stream, serve(port, handler)));
      } catch (ChannelException taken) {
        // The next may be free.
      }
    }
    stream.close();
    return Optional.empty();
  }

  static HttpHandler handler(PageRoutes routes) {
    return RouterFunctions.toHttpHandler(
        routes.routes(), HandlerStrategies.builder().webFilter(new PageHeaders()).build());
  }

  private static DisposableServer serve(int port, HttpHandler handler) {
    var address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    return HttpServer.create()
        .bindAddress(() -> address)
        .channelGroup(new DefaultChannelGroup(GlobalEventExecutor.INSTANCE))
        .handle(new ReactorHttpHandlerAdapter(handler))
        .bindNow(PATIENCE);
  }

  /** Where it is. */
  public String url() {
    return "http://127.0.0.1:%d/".formatted(server.port());
  }

  /** Sees what the processes tell. */
  public Spectator spectator() {
    return model;
  }

  /** Hears what the user is told. */
  public RunListener listener() {
    return model;
  }

  /** The run is over. */
  public void ended(boolean well, String words) {
    model.ended(well, words);
  }

  /** Serves the page until the program is ended. Blocks. */
  public void stay() {
    server.onDispose().block();
  }

  /** Tells the pages that are open that nothing more will come. Blocks for a second at most. */
  @Override
  public void close() {
    stream.close();
    server.disposeNow(LAST_WORDS);
  }
}
