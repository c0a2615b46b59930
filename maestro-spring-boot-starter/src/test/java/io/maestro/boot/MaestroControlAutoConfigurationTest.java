package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.ControlReport;
import io.maestro.api.PathController;
import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Mark;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathSet;
import io.maestro.control.RemoteController;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

class MaestroControlAutoConfigurationTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Mark ORDER = new Mark(new PathSet.Path(1), State.DENY);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(
                  MaestroAutoConfiguration.class,
                  MaestroControlAutoConfiguration.class,
                  SslAutoConfiguration.class));

  @Test
  void withoutAUrlThereIsNoController() {
    runner.run(context -> assertThat(context).doesNotHaveBean(PathController.class));
  }

  @Test
  void anApplicationsOwnControllerIsFollowed() {
    PathController own = reports -> Flux.never();
    runner
        .withBean("own", PathController.class, () -> own)
        .withPropertyValues("maestro.control.url=http://127.0.0.1:1")
        .run(context -> assertThat(context).getBean(PathController.class).isSameAs(own));
  }

  @Test
  void aControllerWithTlsIsFollowedByWhoTrustsItAndIsTrusted(@TempDir Path folder)
      throws Exception {
    KeyStores stores = KeyStores.in(folder);
    try (TlsController controller = TlsController.start(stores, ORDER)) {
      runner
          .withPropertyValues("maestro.control.url=" + controller.url())
          .withPropertyValues("maestro.control.ssl.bundle=mutual")
          .withPropertyValues("maestro.security.secret=s3cret")
          .withPropertyValues(stores.bundle("mutual", "client"))
          .run(
              context -> {
                assertThat(context).hasSingleBean(RemoteController.class);
                ControlReport report = new ControlReport("p", true, List.of(), List.of());
                StepVerifier.create(
                        context
                            .getBean(PathController.class)
                            .directives(Flux.just(report).concatWith(Flux.never()))
                            .next())
                    .expectNext((PathDirective) ORDER)
                    .expectComplete()
                    .verify(LIMIT);
                assertThat(controller.tokens()).allMatch(token -> token.startsWith("Bearer "));
                assertThat(controller.peers()).contains("CN=client");
              });
    }
  }

  @Test
  void aControllerThatNobodyVouchesForIsNotFollowed(@TempDir Path folder) throws Exception {
    KeyStores stores = KeyStores.in(folder);
    try (TlsController controller = TlsController.start(stores, ORDER)) {
      runner
          .withPropertyValues("maestro.control.url=" + controller.url())
          .run(
              context ->
                  StepVerifier.create(
                          context.getBean(PathController.class).directives(Flux.never()).next())
                      .expectError(SSLException.class)
                      .verify(LIMIT));
      assertThat(controller.tokens()).isEmpty();
    }
  }

  @Test
  void aBundleThatIsNotThereIsNamedWithThoseThatAre(@TempDir Path folder) throws Exception {
    KeyStores stores = KeyStores.in(folder);
    runner
        .withPropertyValues("maestro.control.url=https://127.0.0.1:7480")
        .withPropertyValues("maestro.control.ssl.bundle=mutal")
        .withPropertyValues(stores.bundle("mutual", "client"))
        .run(
            context -> {
              FailureAnalysis analysis = Analyses.of(context);
              assertThat(analysis.getDescription()).contains("mutal");
              assertThat(analysis.getAction())
                  .contains("spring.ssl.bundle.pem.mutal")
                  .contains("to one of: mutual.");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "controller:7480", "ftp://controller", "http:///v1"})
  void aUrlThatIsNoneIsRefusedAtTheStart(String url) {
    runner
        .withPropertyValues("maestro.control.url=" + url)
        .run(
            context ->
                assertThat(Analyses.of(context))
                    .satisfies(
                        analysis -> {
                          assertThat(analysis.getDescription()).contains(url);
                          assertThat(analysis.getAction()).contains("maestro.control.url");
                        }));
  }

  @Test
  void withoutJacksonItIsSaidWhatIsMissing() {
    runner
        .withClassLoader(new FilteredClassLoader("tools.jackson.databind"))
        .withPropertyValues("maestro.control.url=http://127.0.0.1:7480")
        .run(
            context ->
                assertThat(Analyses.of(context).getAction())
                    .contains("spring-boot-starter-jackson"));
  }
}
