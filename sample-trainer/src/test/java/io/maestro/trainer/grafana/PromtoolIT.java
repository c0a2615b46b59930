package io.maestro.trainer.grafana;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.testing.Prerequisite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Prometheus's own tool on the configuration and the rules. */
@Tag("system")
@Timeout(60)
class PromtoolIT {

  @BeforeEach
  void needs() {
    Prerequisite.command("promtool").require();
  }

  private static String promtool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("promtool"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(Monitoring.prometheus().toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  @Test
  void theConfigurationIsValid() throws Exception {
    assertThat(promtool("check", "config", "prometheus.yml"))
        .contains("SUCCESS: 2 rule files found");
  }

  @Test
  void alertsComeAndGoWhenTheyShould() throws Exception {
    assertThat(promtool("test", "rules", "tests.yml")).contains("SUCCESS");
  }
}
