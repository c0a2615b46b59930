package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's application is compiled and run as it is written there. */
class GettingStartedTest {
  private static final Path GUIDE = Path.of("..", "docs", "getting-started.md");

  @TempDir Path folder;

  @Test
  void theApplicationOfTheGuideSendsAndReceivesOverFourPathsAndEndsInOrder() throws Exception {
    Path source = write("Hello.java", block("java"));
    write("application.yaml", block("yaml").replace("7471", Integer.toString(Ports.free())));
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-parameters",
                "-proc:none",
                "-d",
                folder.toString(),
                source.toString());
    assertThat(compiled).isZero();
    ChildJvm.Output output = ChildJvm.runUntil("over 4 paths", folder, "demo.Hello");
    assertThat(output.lines()).anyMatch(line -> line.contains("hello over 4 paths"));
    assertThat(output.lines())
        .noneMatch(line -> line.contains(" WARN ") || line.contains(" ERROR "));
    assertThat(output.exitCode()).as("ended by SIGTERM").isEqualTo(143);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String block(String language) throws IOException {
    Matcher block =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(GUIDE));
    assertThat(block.find()).as("a block of " + language).isTrue();
    return block.group(1);
  }
}
