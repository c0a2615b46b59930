package io.maestro.trainer.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.trainer.report.Interval;
import io.maestro.trainer.report.RunListener;
import io.maestro.trainer.report.SyncFigures;
import io.maestro.trainer.report.WorkerResult;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerMergeTest {

  private final List<Interval> shown = new ArrayList<>();
  private final WorkerMerge merge = new WorkerMerge(new Shown());

  @Test
  void anEpochIsShownOnceAllWorkersHaveEndedIt() {
    merge.add("a");
    merge.add("b");

    merge.ended("a", epoch(1, 1.0));
    assertThat(shown).isEmpty();
    merge.ended("b", epoch(1, 3.0));

    assertThat(shown).hasSize(1);
    assertThat(shown.getFirst().loss()).isEqualTo(2.0);
  }

  @Test
  void aFastWorkersNextEpochWaitsForItsTurn() {
    merge.add("a");
    merge.add("b");

    merge.ended("a", epoch(1, 1));
    merge.ended("a", epoch(2, 1));
    merge.ended("b", epoch(1, 1));
    merge.ended("b", epoch(2, 1));

    assertThat(shown).extracting(Interval::number).containsExactly(1, 2);
  }

  @Test
  void aLostWorkerIsNotWaitedFor() {
    merge.add("a");
    merge.add("b");
    merge.ended("a", epoch(1, 1));

    merge.remove("b");

    assertThat(shown).extracting(Interval::number).containsExactly(1);
  }

  private static Interval epoch(int number, double loss) {
    return new Interval(Interval.Unit.EPOCH, number, 5, loss, 0.5, SyncFigures.none(), 1);
  }

  private final class Shown implements RunListener {

    @Override
    public void listening(String address) {}

    @Override
    public void started() {}

    @Override
    public void note(String text) {}

    @Override
    public void ended(Interval interval) {
      shown.add(interval);
    }

    @Override
    public void finished(WorkerResult result) {}
  }
}
