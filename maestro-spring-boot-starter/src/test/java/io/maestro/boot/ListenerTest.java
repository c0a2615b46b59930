package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

class ListenerTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Ports ports = Ports.pair("inbox", "out");
  private final ApplicationContextRunner runner =
      ports.on(
          new ApplicationContextRunner()
              .withConfiguration(AutoConfigurations.of(MaestroAutoConfiguration.class)));

  @Test
  void aMethodTakesTextsAndTheirConnection() {
    runner
        .withBean(Texts.class)
        .run(
            context -> {
              context.getBean(MaestroTemplate.class).send("out", "hello").block(SOON);
              assertThat(context.getBean(Texts.class).take()).startsWith("hello from ");
            });
  }

  @Test
  void aMessageThatFailsIsHandedToTheErrorHandlerAndTheNextFollows() {
    var failures = new LinkedBlockingQueue<MaestroListenerErrorHandler.Failure>();
    runner
        .withBean(Fussy.class)
        .withBean(
            MaestroListenerErrorHandler.class,
            () -> failure -> Mono.fromRunnable(() -> failures.add(failure)))
        .run(
            context -> {
              sendOneThatFailsAndOneThatIsTaken(context);
              var failure = failures.poll(20, TimeUnit.SECONDS);
              assertThat(failure.listener()).isEqualTo("Fussy.take");
              assertThat(failure.cause()).hasMessage("bad is refused");
            });
  }

  private static void sendOneThatFailsAndOneThatIsTaken(ApplicationContext context)
      throws InterruptedException {
    MaestroTemplate template = context.getBean(MaestroTemplate.class);
    template.send("out", "bad").block(SOON);
    template.send("out", "good").block(SOON);
    assertThat(context.getBean(Fussy.class).taken.poll(20, TimeUnit.SECONDS)).isEqualTo("good");
  }

  @Test
  void anErrorHandlerThatFailsStopsNothing() {
    runner
        .withBean(Fussy.class)
        .withBean(
            MaestroListenerErrorHandler.class,
            () -> failure -> Mono.error(new IllegalStateException("handler")))
        .run(ListenerTest::sendOneThatFailsAndOneThatIsTaken);
  }

  @Test
  void sendersWaitForASlowMethodAndNothingIsHeldForThem() {
    runner
        .withBean(Slow.class)
        .run(
            context -> {
              MaestroTemplate template = context.getBean(MaestroTemplate.class);
              Slow slow = context.getBean(Slow.class);
              byte[] megabyte = new byte[1 << 20];
              template.send("out", megabyte).block(SOON);
              assertThat(slow.entered.await(20, TimeUnit.SECONDS)).isTrue();
              StepVerifier.create(template.send("out", megabyte))
                  .expectSubscription()
                  .expectNoEvent(Duration.ofMillis(300))
                  .then(
                      () ->
                          assertThat(context.getBean(Maestro.class).leasedBytes())
                              .isLessThan(2 << 20))
                  .then(slow.go::tryEmitEmpty)
                  .expectComplete()
                  .verify(SOON);
            });
  }

  @Test
  void aStopWaitsForTheMethodThenClosesAndFailsSendersThatWaitWithATransientError() {
    try (Maestro peer = Maestro.create()) {
      runner.withBean(Slow.class).run(context -> stopWhileBusy(context, peer));
    }
  }

  private void stopWhileBusy(ApplicationContext context, Maestro peer) throws Exception {
    Slow slow = context.getBean(Slow.class);
    Connection connection =
        peer.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.port()))
            .block(SOON);
    try (Region message = Region.allocate(1 << 20)) {
      connection.send(message).block(SOON);
      assertThat(slow.entered.await(20, TimeUnit.SECONDS)).isTrue();
      var waiting = connection.send(message).toFuture();
      CountDownLatch drained = new CountDownLatch(1);
      context.getBean(ListenersPhase.class).stop(drained::countDown);
      assertThat(drained.getCount()).isEqualTo(1);
      slow.go.tryEmitEmpty();
      assertThat(drained.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(slow.ended).isTrue();
      assertThat(waiting).isNotDone();
      context.getBean(ConnectionsPhase.class).stop();
      assertThat(waiting)
          .failsWithin(SOON)
          .withThrowableThat()
          .havingCause()
          .isInstanceOf(MaestroException.Transient.class);
    }
  }

  @Test
  void aStopGoesOnAfterTheDeadline() {
    runner
        .withBean(Slow.class)
        .withPropertyValues("maestro.shutdown.drain=200ms")
        .run(
            context -> {
              Slow slow = context.getBean(Slow.class);
              context.getBean(MaestroTemplate.class).send("out", "one").block(SOON);
              assertThat(slow.entered.await(20, TimeUnit.SECONDS)).isTrue();
              CountDownLatch done = new CountDownLatch(1);
              context.getBean(ListenersPhase.class).stop(done::countDown);
              assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
              assertThat(slow.ended).isFalse();
            });
  }

  @Test
  void anApplicationThatIsStartedAgainListensAgain() {
    runner
        .withBean(Texts.class)
        .run(
            context -> {
              var application = context.getSourceApplicationContext();
              application.stop();
              application.start();
              context.getBean(MaestroTemplate.class).send("out", "again").block(SOON);
              assertThat(context.getBean(Texts.class).take()).startsWith("again");
            });
  }

  @Test
  void aMethodThatCannotBeCalledIsRefusedWithTheCure() {
    for (Class<?> wrong : List.of(TakesAnInt.class, TakesTwo.class, Unknown.class, Both.class)) {
      runner
          .withUserConfiguration(wrong)
          .run(
              context -> {
                var analysis = Analyses.of(context);
                assertThat(analysis.getDescription()).contains(wrong.getSimpleName() + ".take");
                assertThat(analysis.getAction()).isNotBlank();
              });
    }
  }

  @Test
  void twoBeansOfOneClassAreRefusedByTheirNames() {
    runner
        .withBean("first", Texts.class)
        .withBean("second", Texts.class)
        .run(
            context ->
                assertThat(Analyses.of(context).getDescription())
                    .contains("'first'", "'second'", "Texts.take"));
  }

  @Test
  void aBeanThatIsMadeTwiceIsRefused() {
    runner
        .withBean(
            "each", Texts.class, Texts::new, bean -> bean.setScope(BeanDefinition.SCOPE_PROTOTYPE))
        .run(
            context -> {
              context.getBean("each");
              assertThatThrownBy(() -> context.getBean("each"))
                  .rootCause()
                  .hasMessageContaining("made more than once");
            });
  }

  static final class Texts {
    private final LinkedBlockingQueue<String> taken = new LinkedBlockingQueue<>();

    @MaestroListener("inbox")
    void take(String text, Connection connection) {
      taken.add(text + " from " + connection.peer());
    }

    String take() throws InterruptedException {
      return taken.poll(20, TimeUnit.SECONDS);
    }
  }

  static final class Fussy {
    private final LinkedBlockingQueue<String> taken = new LinkedBlockingQueue<>();

    @MaestroListener("inbox")
    void take(String text) {
      if (text.equals("bad")) {
        throw new IllegalArgumentException("bad is refused");
      }
      taken.add(text);
    }
  }

  static final class Slow {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final Sinks.Empty<Void> go = Sinks.empty();
    private volatile boolean ended;

    @MaestroListener("inbox")
    Mono<Void> take(Message message) {
      entered.countDown();
      return go.asMono().doOnTerminate(() -> ended = true);
    }
  }

  static class TakesAnInt {
    @MaestroListener("inbox")
    void take(int number) {}
  }

  static class TakesTwo {
    @MaestroListener("inbox")
    void take(String text, ByteBuffer bytes) {}
  }

  static class Unknown {
    @MaestroListener("nowhere")
    void take(byte[] bytes) {}
  }

  @Configuration(proxyBeanMethods = false)
  static class Both {
    @MaestroListener("inbox")
    void take(byte[] bytes) {}

    @Bean
    Texts texts() {
      return new Texts();
    }
  }
}
