package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DefaultStartTest {

  @Test
  void aDefaultStartSendsAndReceivesAndWarnsOfNothing() throws Exception {
    ChildJvm.Output output =
        ChildJvm.run(
            DefaultStart.class,
            List.of("--enable-native-access=ALL-UNNAMED"),
            List.of("--port=" + Ports.free()));
    assertThat(output.lines()).anyMatch(line -> line.contains("received hello over 4 paths"));
    assertThat(output.exitCode()).isZero();
    assertThat(output.lines())
        .noneMatch(line -> line.contains("WARN"))
        .noneMatch(line -> line.contains("ERROR"))
        .noneMatch(line -> line.contains("deprecated"))
        .noneMatch(line -> line.contains("restricted method"))
        .noneMatch(line -> line.contains("Unsafe"));
  }

  @Test
  void withoutNativeAccessTheApplicationStartsAllTheSame() throws Exception {
    ChildJvm.Output output =
        ChildJvm.run(DefaultStart.class, List.of(), List.of("--port=" + Ports.free()));
    assertThat(output.exitCode()).isZero();
    assertThat(output.lines()).noneMatch(line -> line.contains("Unsafe"));
  }
}
