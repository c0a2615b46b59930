package io.maestro.boot;

import io.maestro.api.Connection;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that sends to itself, and ends; for tests that need a JVM of their own. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class DefaultStart {

  public static void main(String[] arguments) {
    SpringApplication application = new SpringApplication(DefaultStart.class);
    application.setAdditionalProfiles("default-start");
    SpringApplication.exit(application.run(arguments));
  }

  @MaestroListener("inbox")
  void take(String text, Connection connection) {
    System.out.printf("received %s over %d paths%n", text, connection.paths().size());
  }

  @Bean
  ApplicationRunner sender(MaestroTemplate maestro) {
    return arguments -> maestro.send("out", "hello").block();
  }
}
