package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The log says when failover is impossible, as nobody would notice before it is needed. */
@ExtendWith(OutputCaptureExtension.class)
class OnePathTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String WARNING = "has one path only";

  private final ApplicationContextRunner pair =
      Ports.pair("a", "b")
          .on(
              new ApplicationContextRunner()
                  .withConfiguration(AutoConfigurations.of(MaestroAutoConfiguration.class)));

  @Test
  void aConnectionOfOnePathSaysThatNothingCanTakeOver(CapturedOutput output) {
    connect(pair.withPropertyValues("maestro.paths=1"));
    assertThat(output).contains(WARNING, "set paths to 2 or more for failover");
  }

  @Test
  void aConnectionOfSeveralSaysNothing(CapturedOutput output) {
    connect(pair.withPropertyValues("maestro.paths=2"));
    assertThat(output).doesNotContain(WARNING);
  }

  private static void connect(ApplicationContextRunner runner) {
    runner.run(
        context ->
            assertThat(context.getBean(MaestroConnections.class).connection("b").block(SOON))
                .isNotNull());
  }
}
