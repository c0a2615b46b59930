package io.maestro.trainer.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.maestro.trainer.report.ProcessEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunModelTest {

  private final PageRig rig = new PageRig().begun();

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void theRateOfAPathIsTheSumOverAllProcesses() {
    rig.sampled("worker 0", 0, 0).sampled("worker 1", 0, 0).sampled("server 0", 0, 0);
    for (int second = 1; second <= 20; second++) {
      rig.after(PageRig.SECOND)
          .sampled("worker 0", second * 100L, second * 10L)
          .sampled("worker 1", second * 200L, second * 20L)
          .sampled("server 0", second * 300L, second * 30L);
    }

    View.Frame frame = rig.model.frame();

    assertThat(frame.paths()).hasSize(2);
    assertThat(frame.paths().get(0).bytesPerSecond()).isCloseTo(600, within(1.0));
    assertThat(frame.paths().get(1).bytesPerSecond()).isCloseTo(60, within(0.1));
    assertThat(frame.paths().get(0).virtualNic()).isEqualTo("127.0.0.1");
    assertThat(frame.routes()).hasSize(4).allMatch(route -> route.server() == 0);
  }

  @Test
  void aProcessThatSaysNothingCarriesNothing() {
    rig.sampled("worker 0", 0).after(PageRig.SECOND).sampled("worker 0", 1000);
    assertThat(rig.model.frame().paths().getFirst().bytesPerSecond()).isPositive();

    rig.after(2 * PageRig.SECOND);

    assertThat(rig.model.frame().paths().getFirst().bytesPerSecond()).isZero();
  }

  @Test
  void aLongRunIsKeptInBoundedMemory() {
    for (int i = 1; i <= 10_000; i++) {
      rig.model.heard("worker 0", new ProcessEvent.Stepped(i, 1.0 / i));
      rig.model.note("note " + i);
      rig.model.frame();
    }

    View.Snapshot snapshot = rig.model.snapshot();

    assertThat(snapshot.past()).hasSize(1_200);
    assertThat(snapshot.news()).hasSize(200);
    assertThat(snapshot.losses()).hasSizeBetween(500, 2_000);
    assertThat(snapshot.losses().getFirst().step()).isEqualTo(1);
    assertThat(snapshot.losses().getLast().step()).isGreaterThan(9_900);
  }

  @Test
  void theLossIsTheMeanOfTheWorkersLatest() {
    rig.model.heard("worker 0", new ProcessEvent.Stepped(1, 2.0));
    rig.model.heard("worker 1", new ProcessEvent.Stepped(1, 1.0));

    assertThat(rig.model.frame().loss()).isEqualTo(1.5);
    assertThat(rig.model.frame().step()).isEqualTo(1);
  }
}
