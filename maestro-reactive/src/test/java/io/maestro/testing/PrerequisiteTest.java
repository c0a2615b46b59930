package io.maestro.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class PrerequisiteTest {
  private final Prerequisite missing = Prerequisite.command("no-such-command-anywhere");

  @Test
  void aMissingPrerequisiteSkipsTheTestAndNamesWhatIsMissing() {
    assertThatThrownBy(() -> missing.require(false))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("no-such-command-anywhere");
  }

  @Test
  void aMissingPrerequisiteFailsTheTestWhereSystemTestsAreRequired() {
    assertThatThrownBy(() -> missing.require(true))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("no-such-command-anywhere");
  }

  @Test
  void aPrerequisiteThatIsPresentLetsTheTestGoOn() {
    Prerequisite present = Prerequisite.of("air", "breathe", () -> true);
    assertThatCode(() -> present.require(true)).doesNotThrowAnyException();
  }
}
