package io.maestro.style;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceTest {
  private static final int PRODUCT_FILE_LINES = 400;
  private static final int TEST_FILE_LINES = 300;
  private static final String[] NOTES_TO_SELF = {"TO" + "DO", "FIX" + "ME"};

  private final SourceSet main = SourceSet.main();
  private final SourceSet test = SourceSet.test();

  @Test
  void noFileIsTooLong() {
    assertThat(main.filesLongerThan(PRODUCT_FILE_LINES)).isEmpty();
    assertThat(test.filesLongerThan(TEST_FILE_LINES)).isEmpty();
  }

  @Test
  void namesMethodsAndParametersOfTheProductKeepToTheStyle() {
    assertThat(main.violations(Rules.PRODUCT)).isEmpty();
  }

  @Test
  void namesMethodsAndParametersOfTheTestsKeepToTheStyle() {
    assertThat(test.violations(Rules.TESTS)).isEmpty();
  }

  @Test
  void noWorkIsLeftAsANoteInTheSources() {
    assertThat(main.filesThatSay(NOTES_TO_SELF)).isEmpty();
    assertThat(test.filesThatSay(NOTES_TO_SELF)).isEmpty();
  }
}
