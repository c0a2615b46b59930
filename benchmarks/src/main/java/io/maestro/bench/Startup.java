package io.maestro.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Configuration;

/**
 * What the starter adds to the start of a Spring Boot application that has nothing else: the same
 * application without the starter on its class path, with it, and listening on a connection, each
 * start in a JVM of its own and in turns.
 *
 * <p>Arguments: {@code --quick} for 3 starts of each instead of 15. Prints milliseconds as Spring
 * Boot counts them, from {@code run} to started, and as the last line one JSON object.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class Startup {
  private static final String STARTED = "started in ms: ";
  private static final String APPLICATION = "--application";
  private static final String LISTEN = "--maestro.connections.inbox.listen=127.0.0.1:0";

  /** Runs the benchmark, or the application that it starts. */
  public static void main(String[] arguments) throws Exception {
    if (List.of(arguments).contains(APPLICATION)) {
      start(arguments);
      return;
    }
    List<Long> without = new ArrayList<>();
    List<Long> with = new ArrayList<>();
    List<Long> listening = new ArrayList<>();
    int rounds = List.of(arguments).contains("--quick") ? 3 : 15;
    for (int round = 0; round < rounds; round++) {
      without.add(startMs(false));
      with.add(startMs(true));
      listening.add(startMs(true, LISTEN));
    }
    print("without the starter", without);
    print("with the starter", with);
    print("listening", listening);
    System.out.printf(
        "{\"without_ms\":%d,\"with_ms\":%d,\"listening_ms\":%d,\"cost_ms\":%d}%n",
        median(without), median(with), median(listening), median(listening) - median(without));
  }

  private static void start(String[] arguments) {
    SpringApplication application = new SpringApplication(Startup.class);
    application.addListeners(
        (ApplicationListener<ApplicationStartedEvent>)
            started -> {
              Duration taken = started.getTimeTaken();
              System.out.println(STARTED + (taken == null ? "?" : taken.toMillis()));
            });
    SpringApplication.exit(application.run(arguments));
  }

  private static long startMs(boolean starter, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(starter),
                Startup.class.getName(),
                APPLICATION));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines;
    try (BufferedReader reader = process.inputReader()) {
      lines = reader.lines().toList();
    }
    int exit = process.waitFor();
    return lines.stream()
        .filter(line -> line.startsWith(STARTED))
        .map(line -> Long.parseLong(line.substring(STARTED.length())))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the application ended with %d before it had started:%n%s"
                        .formatted(exit, String.join("\n", lines))));
  }

  private static String classPath(boolean starter) {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> starter || !entry.contains("maestro-spring-boot-starter"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void print(String name, List<Long> values) {
    System.out.printf(
        "%-20s %5d ms [%d-%d]%n",
        name, median(values), Collections.min(values), Collections.max(values));
  }

  private static long median(List<Long> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
