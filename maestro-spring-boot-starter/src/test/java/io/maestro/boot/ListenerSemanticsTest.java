package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.Message;
import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** What docs/spring.md says of forms, threads, concurrency and peers; more is in ListenerTest. */
@ExtendWith(OutputCaptureExtension.class)
class ListenerSemanticsTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Ports ports = Ports.pair("inbox", "out");
  private final ApplicationContextRunner application =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MaestroAutoConfiguration.class));
  private final ApplicationContextRunner pair = ports.on(application);

  private static boolean comes(BooleanSupplier condition) {
    return Boolean.TRUE.equals(
        Flux.interval(Duration.ofMillis(10))
            .onBackpressureDrop()
            .map(tick -> condition.getAsBoolean())
            .filter(holds -> holds)
            .blockFirst(SOON));
  }

  private static String next(BlockingQueue<String> taken) throws InterruptedException {
    return taken.poll(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  private InetSocketAddress server() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.port());
  }

  private static Mono<Void> send(Connection connection, String text) {
    return Mono.using(
        () -> Region.allocate(text.length()),
        region -> {
          region.segment().copyFrom(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
          return connection.send(region);
        },
        Region::close);
  }

  @ParameterizedTest
  @ValueSource(classes = {AsMessage.class, AsSegment.class, AsBuffer.class, AsBytes.class})
  void aMethodGetsTheMessageInTheFormItAsksFor(Class<? extends Taker> form) {
    pair.withBean(form)
        .run(
            context -> {
              context.getBean(MaestroTemplate.class).send("out", "hello").block(SOON);
              assertThat(next(context.getBean(form).taken)).isEqualTo("hello");
            });
  }

  @Test
  void aMethodThatReturnsNoPublisherMayBlock() {
    pair.withBean(WhereItRuns.class)
        .run(
            context -> {
              context.getBean(MaestroTemplate.class).send("out", "x").block(SOON);
              assertThat(next(context.getBean(WhereItRuns.class).taken)).isEqualTo("may block");
            });
  }

  @Test
  void theMemoryOfAMessageIsFreeWhenTheMethodHasReturned() {
    pair.withBean(AsMessage.class)
        .run(
            context -> {
              byte[] large = new byte[1 << 20];
              context.getBean(MaestroTemplate.class).send("out", large).block(SOON);
              assertThat(next(context.getBean(AsMessage.class).taken)).hasSize(large.length);
              Maestro maestro = context.getBean(Maestro.class);
              assertThat(comes(() -> maestro.leasedBytes() == 0)).isTrue();
            });
  }

  @Test
  void withoutAnErrorHandlerAFailureIsLogged(CapturedOutput output) {
    pair.withBean(Fails.class)
        .run(
            context -> {
              context.getBean(MaestroTemplate.class).send("out", "bad").block(SOON);
              assertThat(comes(() -> output.getAll().contains("Fails.take failed on message")))
                  .isTrue();
              assertThat(output).contains("bad is refused");
            });
  }

  @Test
  void noMoreThanTheConcurrencyAreInTheMethod() {
    pair.withBean(Two.class)
        .run(
            context -> {
              Two two = context.getBean(Two.class);
              MaestroTemplate template = context.getBean(MaestroTemplate.class);
              var sent =
                  Flux.range(0, 6).flatMap(i -> template.send("out", "m" + i)).then().toFuture();
              assertThat(two.entered.await(20, TimeUnit.SECONDS)).isTrue();
              two.go.tryEmitEmpty();
              assertThat(comes(() -> two.ended.get() == 6)).isTrue();
              assertThat(two.most).hasValue(2);
              assertThat(sent).succeedsWithin(SOON);
            });
  }

  @Test
  void aSlowPeerSlowsDownNoOther() {
    try (Maestro first = Maestro.create();
        Maestro second = Maestro.create()) {
      pair.withBean(SlowForSome.class)
          .run(
              context -> {
                SlowForSome method = context.getBean(SlowForSome.class);
                send(first.connect(server()).block(SOON), "slow").block(SOON);
                assertThat(next(method.taken)).isEqualTo("slow");
                send(second.connect(server()).block(SOON), "fast").block(SOON);
                assertThat(next(method.taken)).isEqualTo("fast");
                assertThat(comes(() -> method.ended.get() == 1)).isTrue();
                method.go.tryEmitEmpty();
              });
    }
  }

  @Test
  void whereItListensTheEndOfAPeersConnectionIsLogged(CapturedOutput output) {
    Pattern ended = Pattern.compile("AsBytes.take to .* has ended: it was closed");
    pair.withBean(AsBytes.class)
        .run(
            context -> {
              try (Maestro peer = Maestro.create()) {
                Connection connection = peer.connect(server()).block(SOON);
                send(connection, "last words").then(connection.close()).block(SOON);
              }
              assertThat(comes(() -> ended.matcher(output.getAll()).find())).isTrue();
              assertThat(next(context.getBean(AsBytes.class).taken)).isEqualTo("last words");
            });
    assertThat(ended.matcher(output.getAll()).results()).as("none by the stop").hasSize(1);
  }

  @Test
  void aPeerThatIsAwayIsAskedAgainUntilItIsThere(CapturedOutput output) {
    application
        .withPropertyValues("maestro.connections.inbox.connect=127.0.0.1:" + ports.port())
        .withBean(AsBytes.class)
        .run(
            context -> {
              assertThat(comes(() -> output.getAll().contains("has no connection, and tries")))
                  .isTrue();
              AsBytes method = context.getBean(AsBytes.class);
              serveOnce("one");
              assertThat(next(method.taken)).isEqualTo("one");
              serveOnce("two");
              assertThat(next(method.taken)).isEqualTo("two");
            });
  }

  /** Sends one message to who connects, and is gone again when it has been delivered. */
  private void serveOnce(String text) {
    try (Maestro peer = Maestro.create()) {
      peer.bind(server())
          .flatMap(b -> b.connections().next())
          .flatMap(connection -> send(connection, text))
          .block(SOON);
    }
  }

  @Test
  void aMethodThatTakesTooLongIsLeftBehindWithAWarning(CapturedOutput output) {
    pair.withBean(SlowForSome.class)
        .withPropertyValues("maestro.shutdown.drain=100ms")
        .run(
            context -> {
              context.getBean(MaestroTemplate.class).send("out", "slow").block(SOON);
              assertThat(next(context.getBean(SlowForSome.class).taken)).isEqualTo("slow");
              CountDownLatch done = new CountDownLatch(1);
              context.getBean(ListenersPhase.class).stop(done::countDown);
              assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
              assertThat(output).contains("did not stop in order");
            });
  }

  static class Taker {
    final BlockingQueue<String> taken = new LinkedBlockingQueue<>();

    final void add(byte[] bytes) {
      taken.add(new String(bytes, StandardCharsets.UTF_8));
    }
  }

  static final class AsMessage extends Taker {
    @MaestroListener("inbox")
    void take(Message message) {
      add(message.data().toArray(ValueLayout.JAVA_BYTE));
    }
  }

  static final class AsSegment extends Taker {
    @MaestroListener("inbox")
    void take(MemorySegment segment) {
      assertThat(segment.isReadOnly()).isTrue();
      add(segment.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  static final class AsBuffer extends Taker {
    @MaestroListener("inbox")
    void take(ByteBuffer buffer) {
      assertThat(buffer.isReadOnly()).isTrue();
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      add(bytes);
    }
  }

  static final class AsBytes extends Taker {
    @MaestroListener("inbox")
    void take(byte[] bytes) {
      add(bytes);
    }
  }

  static final class WhereItRuns extends Taker {
    @MaestroListener("inbox")
    void take(String text) {
      taken.add(Schedulers.isInNonBlockingThread() ? "must not block" : "may block");
    }
  }

  static final class Fails {
    @MaestroListener("inbox")
    void take(String text) {
      if (!text.isEmpty()) {
        throw new IllegalArgumentException(text + " is refused");
      }
    }
  }

  static final class Two {
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch entered = new CountDownLatch(2);
    private final Sinks.Empty<Void> go = Sinks.empty();

    @MaestroListener(value = "inbox", concurrency = 2)
    Mono<Void> take(String text) {
      most.accumulateAndGet(inside.incrementAndGet(), Math::max);
      entered.countDown();
      return go.asMono()
          .doOnTerminate(
              () -> {
                inside.decrementAndGet();
                ended.incrementAndGet();
              });
    }
  }

  static final class SlowForSome extends Taker {
    private final AtomicInteger ended = new AtomicInteger();
    private final Sinks.Empty<Void> go = Sinks.empty();

    @MaestroListener("inbox")
    Mono<Void> take(String text) {
      taken.add(text);
      Mono<Void> work = text.equals("slow") ? go.asMono() : Mono.empty();
      return work.doOnTerminate(ended::incrementAndGet);
    }
  }
}
