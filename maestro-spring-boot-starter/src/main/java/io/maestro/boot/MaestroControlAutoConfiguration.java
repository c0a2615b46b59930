package io.maestro.boot;

import io.maestro.Maestro;
import io.maestro.api.PathController;
import io.maestro.control.RemoteController;
import java.net.URI;
import java.util.Objects;
import javax.net.ssl.SSLParameters;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/** Follows a path controller in another process; gives way to one of the application's own. */
@AutoConfiguration(before = MaestroAutoConfiguration.class, after = SslAutoConfiguration.class)
@ConditionalOnClass(Maestro.class)
@ConditionalOnBooleanProperty(name = "maestro.enabled", matchIfMissing = true)
@ConditionalOnProperty(MaestroControlAutoConfiguration.URL)
@EnableConfigurationProperties(MaestroProperties.class)
public final class MaestroControlAutoConfiguration {
  static final String URL = "maestro.control.url";
  static final String BUNDLE = "maestro.control.ssl.bundle";

  private static final String JSON = "tools.jackson.databind.json.JsonMapper";

  @Bean
  @ConditionalOnMissingBean
  PathController maestroController(
      MaestroProperties properties, ObjectProvider<SslBundles> bundles, ResourceLoader classes) {
    if (!ClassUtils.isPresent(JSON, classes.getClassLoader())) {
      throw MaestroStartException.of(
          URL,
          "A remote path controller is spoken to in JSON, and there is no Jackson 3.",
          "Add spring-boot-starter-jackson, or remove %s.".formatted(URL),
          null);
    }
    URI url = Objects.requireNonNull(properties.control().url(), URL);
    String secret = properties.security().secret();
    SslBundle tls =
        NamedBundle.find(BUNDLE, properties.control().ssl().bundle(), bundles.getIfAvailable());
    try {
      return tls == null
          ? new RemoteController(url, secret)
          : new RemoteController(
              url,
              secret,
              http ->
                  http.sslContext(tls.createSslContext())
                      .sslParameters(parameters(tls.getOptions())));
    } catch (IllegalArgumentException broken) {
      throw MaestroStartException.of(
          URL,
          String.valueOf(broken.getMessage()),
          "Set %s to where the controller is, such as https://controller:7480.".formatted(URL),
          broken);
    }
  }

  private static SSLParameters parameters(SslOptions options) {
    return new SSLParameters(options.getCiphers(), options.getEnabledProtocols());
  }
}
