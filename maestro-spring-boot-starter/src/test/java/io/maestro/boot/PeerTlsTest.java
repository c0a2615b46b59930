package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.verbs.VerbsProvider;
import io.maestro.verbs.sim.SimFabric;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class PeerTlsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

  private final ApplicationContextRunner runner =
      new ApplicationContextRunner()
          .withConfiguration(
              AutoConfigurations.of(MaestroAutoConfiguration.class, SslAutoConfiguration.class));

  @Test
  void applicationsWithBundlesThatTrustEachOtherAreConnected(@TempDir Path folder)
      throws Exception {
    KeyStores stores = KeyStores.in(folder);
    runner
        .withPropertyValues("maestro.security.ssl.bundle=peers")
        .withPropertyValues(stores.bundle("peers", "server"))
        .run(
            server -> {
              Maestro listening = server.getBean(Maestro.class);
              var binding = Objects.requireNonNull(listening.bind(ANY).block(LIMIT));
              var addresses = binding.addresses().toArray(InetSocketAddress[]::new);
              runner
                  .withPropertyValues("maestro.security.ssl.bundle=peers")
                  .withPropertyValues(stores.bundle("peers", "client"))
                  .run(
                      client -> {
                        Maestro dialling = client.getBean(Maestro.class);
                        assertThat(dialling.config().security().tls()).isNotNull();
                        Connection connection = dialling.connect(addresses).block(LIMIT);
                        assertThat(connection).isNotNull();
                      });
            });
  }

  @Test
  void withoutABundleNothingIsEncrypted() {
    runner.run(
        context -> assertThat(context.getBean(MaestroConfig.class).security().tls()).isNull());
  }

  @Test
  void aBundleThatIsNotThereIsNamedWithItsProperty() {
    runner
        .withPropertyValues("maestro.security.ssl.bundle=pears")
        .run(
            context -> {
              FailureAnalysis analysis = Analyses.of(context);
              assertThat(analysis.getDescription()).contains("pears");
              assertThat(analysis.getAction()).contains("maestro.security.ssl.bundle");
            });
  }

  @Test
  void aProviderThatCannotEncryptIsRefusedWithTheCure(@TempDir Path folder) throws Exception {
    KeyStores stores = KeyStores.in(folder);
    SimFabric fabric = SimFabric.builder().address("10.0.0.1").build();
    runner
        .withBean(VerbsProvider.class, fabric::provider)
        .withPropertyValues("maestro.security.ssl.bundle=peers")
        .withPropertyValues(stores.bundle("peers", "client"))
        .run(
            context -> {
              FailureAnalysis analysis = Analyses.of(context);
              assertThat(analysis.getDescription()).contains("provider sim cannot encrypt");
              assertThat(analysis.getAction()).contains("maestro.provider=iwarp");
            });
  }
}
