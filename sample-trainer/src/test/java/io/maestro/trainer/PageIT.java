package io.maestro.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.testing.Prerequisite;
import io.maestro.trainer.browser.Chromium;
import io.maestro.trainer.browser.Look;
import io.maestro.trainer.browser.Look.Scheme;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page as its user has it: a real browser, a real run. */
@Tag("system")
@Timeout(240)
class PageIT {

  private static final Path SHOTS = Path.of("target", "screenshots");
  private static final int STEPS = 20;
  private static final Look DESKTOP = new Look(1440, 900, Scheme.DARK);
  private static final List<Look> LOOKS =
      List.of(
          DESKTOP,
          new Look(1440, 900, Scheme.LIGHT),
          new Look(390, 844, Scheme.DARK),
          new Look(390, 844, Scheme.LIGHT));

  @TempDir private Path profile;

  private Chromium browser;

  @BeforeEach
  void start() throws Exception {
    Prerequisite.requireAll(Prerequisite.linux(), Prerequisite.command(Chromium.COMMAND));
    browser = Chromium.start(profile);
  }

  @AfterEach
  void close() {
    if (browser != null) {
      browser.close();
    }
  }

  @Test
  void oneSeesAPathFailAndComeBackWhileTheTrainingGoesOn() throws Exception {
    try (var run = TrainerProcess.start("--page=0", "--epochs=200")) {
      LivePageDriver page = open(run);
      page.awaitTraining(4);
      page.tab().await(page.paints("loss", "--path-0"));
      for (int path = 0; path < 4; path++) {
        page.tab().await(page.paints("throughput", "--path-" + path));
      }
      shots(page, "running");

      cut(page);
      restore(page);
      slow(page);
      assertThat(page.tab().complaints()).isEmpty();
      assertThat(page.tab().requests()).allMatch(url -> url.startsWith(page.url()));
      assertThat(run.process().isAlive()).isTrue();
    }
  }

  private static void cut(LivePageDriver page) throws Exception {
    assertThat(page.share(2, page.goOn(STEPS))).isBetween(0.1, 0.4);

    page.tab().click(page.button(2, "CUT"));
    page.tab().await(page.says(2, "cut by you"));
    page.tab().await(page.rate(2) + " === 0");
    page.tab().await(page.says(2, "breaker open") + " || " + page.says(2, "breaker half open"));
    double cut = page.goOn(STEPS);
    assertThat(page.share(2, cut)).isLessThan(0.01);
    for (int other : List.of(0, 1, 3)) {
      assertThat(page.share(other, cut)).as("path %d", other).isGreaterThan(0.1);
    }
    assertThat(page.feed()).contains("path 2 cut", "path 2 lost: ");
    shots(page, "cut");
  }

  /** With the keyboard. */
  private static void restore(LivePageDriver page) throws Exception {
    page.tab().value("document.querySelector('%s').focus()".formatted(page.button(2, "NONE")));
    page.tab().press("r");
    page.tab().await(page.says(2, "breaker closed") + " && " + page.rate(2) + " > 0");
    assertThat(page.share(2, page.goOn(STEPS))).isGreaterThan(0.1);
    assertThat(page.feed()).contains("path 2 restored");
    shots(page, "restored");
  }

  private static void slow(LivePageDriver page) {
    page.tab().click(page.button(0, "SLOW"));
    page.tab().await(page.says(0, "slowed by you"));
    page.goOn(STEPS / 2);
    // Not its share: a training that is slow itself may need no more than the limit.
    assertThat(page.ofItsLimit(0, page.goOn(STEPS))).isBetween(0.01, 1.2);
  }

  @Test
  void thePageOutlivesTheRunAndFollowsTheNextOne() throws Exception {
    LivePageDriver page;
    try (var run = TrainerProcess.start("--page=0", "--model=resnet50", "--steps=2")) {
      page = open(run);
      page.tab().await("document.querySelector('#phase').dataset.phase === 'DONE'");
      page.tab().await("document.querySelector('#accuracy canvas') !== null");
      assertThat(page.text("#banner")).contains("resnet50 synchronised after 2 steps");
      assertThat(page.attribute(page.button(0, "CUT"), "aria-disabled")).isEqualTo("true");
      page.tab().screenshot(SHOTS.resolve("done-desktop-dark.png"));
      run.awaitLine("the page stays until Ctrl-C");
      run.process().destroy();
      assertThat(run.awaitExit()).isEqualTo(143);
    }
    page.tab().await("document.querySelector('#banner').textContent.includes('has ended')");

    String port = page.url().replaceAll(".*:(\\d+)/", "$1");
    try (var next =
        TrainerProcess.start("--page=" + port, "--model=resnet50", "--steps=1000", "--paths=3")) {
      next.awaitLine("live page: " + page.url());
      page.tab().await("document.querySelector('#phase').dataset.phase === 'RUNNING'");
      page.tab().await("document.querySelectorAll('.card').length === 3");
      next.process().destroyForcibly();
      page.tab().await("document.querySelector('#phase').dataset.phase === 'GONE'");
      assertThat(page.text("#banner")).contains("does not answer any more");
      page.tab().screenshot(SHOTS.resolve("gone-desktop-dark.png"));
    }
  }

  @Test
  void theLastPathIsCutOnlyWhenItIsMeant() throws Exception {
    try (var run =
        TrainerProcess.start("--page=0", "--model=resnet50", "--steps=1000", "--paths=1")) {
      LivePageDriver page = open(run);
      page.tab().await("document.querySelectorAll('.card').length === 1");

      page.tab().click(page.button(0, "CUT"));
      page.tab().await("document.querySelector('#last-path').open");
      page.tab().press("Escape");
      page.tab().await("!document.querySelector('#last-path').open");
      page.goOn(1);

      page.tab().click(page.button(0, "CUT"));
      page.tab().await("document.querySelector('#last-path').open");
      page.tab().click("#last-path [value=yes]");
      page.tab().await("document.querySelector('#phase').dataset.phase === 'FAILED'");
      assertThat(page.text("#banner")).startsWith("The run failed: ");
      page.tab().screenshot(SHOTS.resolve("failed-desktop-dark.png"));
    }
  }

  private LivePageDriver open(TrainerProcess run) throws Exception {
    String line = run.awaitLine("live page: ");
    var page = new LivePageDriver(browser.open(DESKTOP), line.substring("live page: ".length()));
    page.tab().go(page.url());
    return page;
  }

  private static void shots(LivePageDriver page, String moment) throws Exception {
    for (Look look : LOOKS) {
      page.tab().look(look);
      page.awaitPicture();
      String screen = look.width() > 1_000 ? "desktop" : "phone";
      String file =
          "%s-%s-%s.png".formatted(moment, screen, look.scheme()).toLowerCase(Locale.ROOT);
      assertThat(page.fits()).as(file).isTrue();
      page.tab().screenshot(SHOTS.resolve(file));
    }
    page.tab().look(DESKTOP);
    page.awaitPicture();
  }
}
