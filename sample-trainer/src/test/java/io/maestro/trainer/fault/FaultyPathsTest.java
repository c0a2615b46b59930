package io.maestro.trainer.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.PathEvent;
import io.maestro.api.PathReport;
import io.maestro.api.Region;
import io.maestro.verbs.iwarp.IwarpProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The library finds the faults by itself, and heals. */
class FaultyPathsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MESSAGE_BYTES = 4_000_000;
  private static final InetAddress THIRD = InetAddress.ofLiteral("127.0.0.3");

  private final FaultBoard board = new FaultBoard();
  private final AtomicLong arrived = new AtomicLong();
  private final Maestro server = maestro(board);
  private final Maestro client = maestro(board);
  private Connection connection;
  private Disposable traffic;

  private static Maestro maestro(FaultBoard board) {
    var provider = new FaultyVerbsProvider(new IwarpProvider(), board);
    MaestroConfig config = MaestroConfig.with(b -> b.paths(4).secret("a secret of this test"));
    return Maestro.create(config, provider, Schedulers.parallel());
  }

  @BeforeEach
  void connect() {
    Binding binding =
        server.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0)).block(PATIENCE);
    binding
        .connections()
        .flatMap(Connection::receive)
        .subscribe(
            message -> {
              arrived.incrementAndGet();
              message.close();
            },
            end -> {});
    connection = client.connect(binding.addresses().getFirst()).block(PATIENCE);
    Region region = Region.allocate(MESSAGE_BYTES);
    traffic =
        Flux.range(0, Integer.MAX_VALUE)
            .concatMap(i -> connection.send(region))
            .subscribe(v -> {}, e -> {});
  }

  @AfterEach
  void close() {
    traffic.dispose();
    client.close();
    server.close();
  }

  @Test
  void aCutPathIsFoundLosesNothingAndComesBackWhenItIsRestored() {
    awaitProgress(3);
    Flux<PathEvent> events = connection.pathEvents().replay().autoConnect(0);

    board.set(THIRD, Fault.CUT);
    PathEvent lost =
        events.ofType(PathEvent.Down.class).next().block(PATIENCE).path() == 2
            ? events.ofType(PathEvent.FailedOver.class).next().block(PATIENCE)
            : null;
    assertThat(lost).isNotNull();
    assertThat(lost.path()).isEqualTo(2);
    events.ofType(PathEvent.AttemptFailed.class).next().block(PATIENCE);
    awaitProgress(3);
    assertThat(connection.paths().get(2).state()).isNotEqualTo(PathReport.State.UP);

    board.set(THIRD, Fault.NONE);
    PathEvent.Up back = events.ofType(PathEvent.Up.class).next().block(PATIENCE);
    assertThat(back.path()).isEqualTo(2);
    long before = connection.paths().get(2).ackedBytes();
    awaitProgress(3);
    assertThat(connection.paths().get(2).ackedBytes()).isGreaterThan(before);
  }

  @Test
  void aSlowPathGetsLessAndIsNotLost() {
    awaitProgress(3);
    board.set(THIRD, Fault.slow(5_000_000));
    awaitProgress(10);

    long slowBefore = connection.paths().get(2).ackedBytes();
    long firstBefore = connection.paths().get(0).ackedBytes();
    awaitProgress(20);
    long slow = connection.paths().get(2).ackedBytes() - slowBefore;
    long first = connection.paths().get(0).ackedBytes() - firstBefore;

    assertThat(slow).isLessThan(first);
    assertThat(connection.paths().get(2).state()).isEqualTo(PathReport.State.UP);
  }

  @Test
  void aLinkThatIsRestoredAtOnceGoesOnWhereItWas() {
    awaitProgress(3);
    board.set(THIRD, Fault.CUT);
    board.set(THIRD, Fault.NONE);
    awaitProgress(10);

    assertThat(connection.paths().get(2).health().failovers()).isZero();
  }

  private void awaitProgress(int messages) {
    long goal = arrived.get() + messages;
    Flux.interval(Duration.ofMillis(5))
        .takeUntil(tick -> arrived.get() >= goal)
        .then()
        .block(PATIENCE);
  }
}
