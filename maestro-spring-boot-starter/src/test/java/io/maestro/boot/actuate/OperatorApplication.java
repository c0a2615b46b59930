package io.maestro.boot.actuate;

import io.maestro.boot.MaestroConnections;
import io.maestro.boot.Ports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An application on a real port, connected to itself as "b" to "a", with two users. */
final class OperatorApplication implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration OFTEN = Duration.ofMillis(50);
  private static final JsonMapper MAPPER = new JsonMapper();

  private final ConfigurableApplicationContext context;
  private final WebTestClient client;

  private OperatorApplication(ConfigurableApplicationContext context) {
    this.context = context;
    this.client =
        WebTestClient.bindToServer()
            .baseUrl(
                "http://localhost:" + context.getEnvironment().getProperty("local.server.port"))
            .responseTimeout(SOON)
            .build();
  }

  static OperatorApplication start(String... more) {
    int port = Ports.free();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--spring.web.error.include-message=always",
                "--server.error.include-message=always",
                "--management.endpoints.web.exposure.include=*",
                "--maestro.connections.a.listen=127.0.0.1:" + port,
                "--maestro.connections.b.connect=127.0.0.1:" + port));
    arguments.addAll(List.of(more));
    return new OperatorApplication(
        new SpringApplicationBuilder(Setup.class).run(arguments.toArray(String[]::new)));
  }

  /** Connects "b" to "a". */
  OperatorApplication connect() {
    context.getBean(MaestroConnections.class).connection("b").block(SOON);
    await("", view -> view.path("connections").size() == 2);
    return this;
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** The id of the connection of a name. */
  String id(String name) {
    for (JsonNode connection : read("").path("connections")) {
      if (connection.path("name").asString("").equals(name)) {
        return connection.path("id").asString();
      }
    }
    throw new AssertionError("there is no connection " + name);
  }

  JsonNode read(String place) {
    byte[] body =
        as("viewer")
            .get()
            .uri("/actuator/maestro" + place)
            .exchange()
            .expectStatus()
            .isOk()
            .expectBody()
            .returnResult()
            .getResponseBody();
    return MAPPER.readTree(body);
  }

  JsonNode await(String place, Predicate<JsonNode> wanted) {
    return Flux.interval(OFTEN)
        .onBackpressureDrop()
        .publishOn(Schedulers.boundedElastic(), 1)
        .map(tick -> read(place))
        .filter(wanted)
        .blockFirst(SOON);
  }

  WebTestClient as(String user) {
    return client.mutate().defaultHeaders(headers -> headers.setBasicAuth(user, user)).build();
  }

  WebTestClient anonymous() {
    return client;
  }

  WebTestClient.ResponseSpec post(String user, String place, String body) {
    return as(user)
        .post()
        .uri("/actuator/maestro" + place)
        .contentType(MediaType.APPLICATION_JSON)
        .bodyValue(body)
        .exchange();
  }

  @Override
  public void close() {
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Setup {
    @Bean
    MapReactiveUserDetailsService users() {
      return new MapReactiveUserDetailsService(
          user("operator", "MAESTRO_OPERATOR"), user("viewer", "VIEWER"));
    }

    private static UserDetails user(String name, String role) {
      return User.withUsername(name).password("{noop}" + name).roles(role).build();
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.authorizeExchange(exchanges -> exchanges.anyExchange().authenticated())
          .httpBasic(Customizer.withDefaults())
          .csrf(ServerHttpSecurity.CsrfSpec::disable)
          .build();
    }
  }
}
