package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import io.maestro.api.PathReport;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.test.StepVerifier;

class ConnectionsTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MaestroAutoConfiguration.class));

  private final ApplicationContextRunner pair = Ports.pair("a", "b").on(runner);

  @Test
  void aNamedConnectionIsSharedAndHasFourPaths() {
    pair.run(
        context -> {
          MaestroConnections connections = context.getBean(MaestroConnections.class);
          Connection first = connections.connection("b").block(SOON);
          Connection second = connections.connection("b").block(SOON);
          assertThat(first).isNotNull().isSameAs(second);
          assertThat(first.paths())
              .hasSize(4)
              .allMatch(path -> path.state() == PathReport.State.UP);
        });
  }

  @Test
  void aConnectionThatHasEndedIsMadeAnew() {
    pair.run(
        context -> {
          MaestroConnections connections = context.getBean(MaestroConnections.class);
          Connection first = connections.connection("b").block(SOON);
          first.close().block(SOON);
          assertThat(connections.connection("b").block(SOON)).isNotSameAs(first);
        });
  }

  @Test
  void theTemplateSendsWhatAPeerOfTheServerReceives() {
    pair.run(
        context -> {
          var received =
              context
                  .getBean(MaestroConnections.class)
                  .binding("a")
                  .connections()
                  .flatMap(Connection::receive, 1, 1)
                  .map(ConnectionsTest::textOf);
          StepVerifier.create(received.take(2))
              .then(
                  () -> {
                    MaestroTemplate template = context.getBean(MaestroTemplate.class);
                    template.send("b", "one").block(SOON);
                    template.send("b", new byte[] {'t', 'w', 'o'}).block(SOON);
                  })
              .expectNext("one", "two")
              .expectComplete()
              .verify(SOON);
        });
  }

  private static String textOf(Message message) {
    try (message) {
      byte[] bytes = message.data().toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
      return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  @Test
  void aPortThatIsTakenIsNamedWithTheCure() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      runner
          .withPropertyValues("maestro.connections.a.listen=127.0.0.1:" + taken.getLocalPort())
          .run(
              context -> {
                var analysis = Analyses.of(context);
                assertThat(analysis.getDescription()).contains("127.0.0.1:" + taken.getLocalPort());
                assertThat(analysis.getAction())
                    .contains("maestro.connections.a.listen", "another port");
              });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "listen, 192.0.2.1:0, an address of this machine, maestro.security.secret=x",
    "listen, 192.0.2.1:0, maestro.security.secret, maestro.paths=4",
    "listen, nonsense, Write host:port, maestro.paths=4",
    "connect, 127.0.0.1:99999, Write host:port, maestro.paths=4",
    "connect, '', Set one of, maestro.paths=4"
  })
  void aConnectionThatCannotBeIsRefusedWithTheCure(
      String verb, String address, String cure, String more) {
    runner
        .withPropertyValues("maestro.connections.a.%s=%s".formatted(verb, address), more)
        .run(context -> assertThat(Analyses.of(context).getAction()).contains(cure));
  }

  @Test
  void aNameThatIsNotThereIsRefusedWithThoseThatAre() {
    pair.run(
        context -> {
          MaestroConnections connections = context.getBean(MaestroConnections.class);
          assertThatThrownBy(() -> connections.connection("c")).hasMessageContaining("[b]");
          assertThatThrownBy(() -> connections.binding("c")).hasMessageContaining("[a, b]");
        });
  }
}
