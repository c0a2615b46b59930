package io.maestro.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.PathEvent;
import io.maestro.trainer.controller.Rails;
import io.maestro.verbs.SystemClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The controller as a process of its own, which steers a connection of this one. */
@Timeout(180)
class ControllerIT {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path folder;

  private TrainerProcess controller(int port) throws Exception {
    Path topology = Files.writeString(folder.resolve("topology.json"), Rails.topology());
    TrainerProcess process =
        TrainerProcess.start(
            "--role=controller", "--listen=127.0.0.1:" + port, "--topology=" + topology);
    process.awaitLine("controller listens on 127.0.0.1:" + port);
    return process;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void aKilledControllerLeavesLocalDecisionsWithinASecondAndIsFollowedAgain() throws Exception {
    int port = freePort();
    TrainerProcess first = controller(port);
    try (Rails rails = new Rails(new InetSocketAddress(LOOPBACK, port), "")) {
      Queue<PathEvent> events = new ConcurrentLinkedQueue<>();
      rails.connection().pathEvents().subscribe(events::add);
      rails.await(Rails.STEERED, LIMIT);
      first.process().destroyForcibly();
      say("killed", awaitLocal(rails));
      try (TrainerProcess second = controller(port)) {
        rails.await(Rails.STEERED, LIMIT);
        assertThat(second.process().isAlive()).isTrue();
      }
      assertThat(events)
          .filteredOn(PathEvent.Steered.class::isInstance)
          .extracting(event -> ((PathEvent.Steered) event).following())
          .contains(true, false);
    } finally {
      first.close();
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no SIGSTOP")
  void aFrozenControllerLeavesLocalDecisionsWithinASecond() throws Exception {
    int port = freePort();
    try (TrainerProcess controller = controller(port);
        Rails rails = new Rails(new InetSocketAddress(LOOPBACK, port), "")) {
      rails.await(Rails.STEERED, LIMIT);
      signal(controller, "-STOP");
      say("frozen", awaitLocal(rails));
      signal(controller, "-CONT");
      rails.await(Rails.STEERED, LIMIT);
    }
  }

  /** How long it took, in milliseconds. */
  private static long awaitLocal(Rails rails) {
    long startNs = SystemClock.INSTANCE.nanoTime();
    rails.await(Rails.EQUAL, Duration.ofSeconds(1));
    return (SystemClock.INSTANCE.nanoTime() - startNs) / 1_000_000;
  }

  private static void say(String what, long tookMs) {
    System.out.printf("controller %s: local decisions after %d ms%n", what, tookMs);
  }

  private static void signal(TrainerProcess process, String signal) throws Exception {
    Process kill =
        new ProcessBuilder("kill", signal, Long.toString(process.process().pid())).start();
    assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }
}
