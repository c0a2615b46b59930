package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroObserver;
import io.maestro.net.PathPlan;
import io.maestro.net.PathPlanner;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.VerbsProvider;
import io.maestro.verbs.iwarp.IwarpProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

class MaestroAutoConfigurationTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(AutoConfigurations.of(MaestroAutoConfiguration.class));

  @Test
  void aPlainApplicationGetsAllParts() {
    runner.run(
        context ->
            assertThat(context)
                .hasNotFailed()
                .hasSingleBean(Maestro.class)
                .hasSingleBean(MaestroConnections.class)
                .hasSingleBean(MaestroTemplate.class)
                .hasSingleBean(CircuitBreakerRegistry.class));
  }

  @Test
  void withoutPropertiesTheSettingsAreTheDefaultsOfTheLibrary() {
    runner.run(
        context ->
            assertThat(context.getBean(MaestroConfig.class)).isEqualTo(MaestroConfig.defaults()));
  }

  @Test
  void propertiesReachTheSettings() {
    runner
        .withPropertyValues(
            "maestro.paths=2",
            "maestro.chunk-size=64KB",
            "maestro.local-addresses=127.0.0.1,127.0.0.2",
            "maestro.memory-budget=32MB",
            "maestro.loops=1",
            "maestro.timeout.connect=3s",
            "maestro.breaker.stall=70ms",
            "maestro.routing.mode=off",
            "maestro.control.floor=2",
            "maestro.security.secret=s3cret")
        .run(
            context -> {
              MaestroConfig config = context.getBean(MaestroConfig.class);
              assertThat(config.paths()).isEqualTo(2);
              assertThat(config.chunkBytes()).isEqualTo(65536);
              assertThat(config.localAddresses()).hasSize(2);
              assertThat(config.memoryBudgetBytes()).isEqualTo(32L << 20);
              assertThat(config.timeouts().connect()).isEqualTo(Duration.ofSeconds(3));
              assertThat(config.breaker().stall()).isEqualTo(Duration.ofMillis(70));
              assertThat(config.control().floor()).isEqualTo(2);
              assertThat(config.security().secret()).isEqualTo("s3cret");
              assertThat(context.getBean(MaestroProperties.class).toString())
                  .doesNotContain("s3cret");
            });
  }

  @Test
  void theApplicationsOwnPartsAreUsed() {
    runner
        .withUserConfiguration(OwnParts.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(CircuitBreakerRegistry.class);
              assertThat(context).getBean(CircuitBreakerRegistry.class).isSameAs(OwnParts.BREAKERS);
              assertThat(context.getBean(MaestroConfig.class).paths()).isEqualTo(7);
              assertThat(context).getBean(MaestroTemplate.class).isInstanceOf(OwnTemplate.class);
            });
  }

  @Test
  void anOwnMaestroIsUsed() {
    runner
        .withBean("mine", Maestro.class, Maestro::create)
        .run(context -> assertThat(context).hasSingleBean(Maestro.class).hasBean("mine"));
  }

  @Test
  void anOwnProviderPlannerAndObserverAreUsed() {
    OwnProvider provider = new OwnProvider();
    OwnPlanner planner = new OwnPlanner();
    OwnObserver observer = new OwnObserver();
    Ports.pair("inbox", "out")
        .on(runner)
        .withBean(VerbsProvider.class, () -> provider)
        .withBean(PathPlanner.class, () -> planner)
        .withBean(MaestroObserver.class, () -> observer)
        .run(
            context -> {
              context.getBean(MaestroConnections.class).connection("out").block(SOON);
              assertThat(context.getBean(MaestroConfig.class).provider()).isEqualTo("own");
              assertThat(provider.opened.get()).isPositive();
              assertThat(planner.asked).containsExactly(4);
              assertThat(observer.opened).isNotEmpty();
            });
  }

  @Test
  void connectionsOfTheApplicationAreUsed() {
    Maestro maestro = Maestro.create();
    MaestroConnections own = new MaestroConnections(maestro, Map.of());
    runner
        .withBean("mine", Maestro.class, () -> maestro)
        .withBean(MaestroConnections.class, () -> own)
        .run(context -> assertThat(context).getBean(MaestroConnections.class).isSameAs(own));
  }

  @Test
  void customizersHaveTheLastWord() {
    runner
        .withPropertyValues("maestro.paths=2")
        .withBean(MaestroConfigCustomizer.class, () -> settings -> settings.paths(3))
        .run(context -> assertThat(context.getBean(MaestroConfig.class).paths()).isEqualTo(3));
  }

  @Test
  void itCanBeTurnedOff() {
    runner
        .withPropertyValues("maestro.enabled=false")
        .run(context -> assertThat(context).doesNotHaveBean(Maestro.class));
  }

  @Test
  void withoutTheLibraryNothingIsSetUp() {
    runner
        .withClassLoader(new FilteredClassLoader(Maestro.class))
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("maestro"));
  }

  @ParameterizedTest
  @CsvSource({
    "maestro.paths, 65, 1 to 64",
    "maestro.chunk-size, 17B, 4096 to 1048576",
    "maestro.eager-limit, 3GB, 0 to 65536",
    "maestro.window, 1KB, at least chunkBytes",
    "maestro.max-messages, 0, 1 to 65536",
    "maestro.loops, 0, 1 to 256",
    "maestro.memory-budget, 0B, positive",
    "maestro.breaker.probes, 0, 1 to 100",
    "maestro.breaker.stall, 0ms, 1 ms to 1 h",
    "maestro.breaker.slow, 0ms, positive",
    "maestro.breaker.backoff, 0ms, at least 1 ms",
    "maestro.breaker.max-backoff, 1ms, at least breaker.backoff",
    "maestro.control.floor, 0, 1 to 64",
    "maestro.control.silence, 1ms, 100 ms to 1 min",
    "maestro.timeout, 0s, positive",
    "maestro.routing, 0s, must be positive",
    "maestro.balancer, quickest, round-robin",
    "maestro.balancer, controller-driven, needs a controller",
    "maestro.routing.topology, /there/is/no/fabric.json, cannot be read",
    "maestro.provider, pigeon, iwarp"
  })
  void aBadPropertyIsNamedWithItsRangeAndWhereItWasSet(String name, String value, String range) {
    String set =
        name.equals("maestro.timeout")
            ? name + ".send"
            : name.equals("maestro.routing") ? name + ".timeout" : name;
    runner
        .withPropertyValues(set + "=" + value)
        .run(
            context -> {
              var analysis = Analyses.of(context);
              assertThat(analysis.getDescription()).contains(range);
              assertThat(analysis.getDescription() + analysis.getAction()).contains(name);
              assertThat(analysis.getAction()).containsAnyOf("Change", "Set", "Mend");
            });
  }

  /** Another name for the default one. */
  static final class OwnProvider implements VerbsProvider {
    private final VerbsProvider iwarp = new IwarpProvider();
    private final AtomicInteger opened = new AtomicInteger();

    @Override
    public String name() {
      return "own";
    }

    @Override
    public Device open(DeviceOptions options) {
      opened.incrementAndGet();
      return iwarp.open(options);
    }
  }

  /** Remembers how many paths are asked for, and leaves them as they are. */
  static final class OwnPlanner implements PathPlanner {
    private final Queue<Integer> asked = new ConcurrentLinkedQueue<>();

    @Override
    public Mono<List<PathPlan>> plan(Request request) {
      asked.add(request.paths());
      return Mono.just(List.of());
    }

    @Override
    public Mono<PathPlan> replan(Request request, int path, List<PathPlan> current) {
      return Mono.empty();
    }
  }

  /** Remembers the connections. */
  static final class OwnObserver implements MaestroObserver {
    private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();

    @Override
    public void connectionOpened(Connection connection) {
      opened.add(connection);
    }
  }

  /** Beans of an application. */
  @Configuration(proxyBeanMethods = false)
  static class OwnParts {
    static final CircuitBreakerRegistry BREAKERS = CircuitBreakerRegistry.ofDefaults();

    @Bean
    CircuitBreakerRegistry breakers() {
      return BREAKERS;
    }

    @Bean
    MaestroConfig settings() {
      return MaestroConfig.with(b -> b.paths(7));
    }

    @Bean
    OwnTemplate template(MaestroConnections connections) {
      return new OwnTemplate(connections);
    }
  }

  /** A template with more methods. */
  static final class OwnTemplate extends MaestroTemplate {
    OwnTemplate(MaestroConnections connections) {
      super(connections);
    }
  }
}
