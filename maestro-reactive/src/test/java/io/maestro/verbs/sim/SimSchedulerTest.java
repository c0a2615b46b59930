package io.maestro.verbs.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

class SimSchedulerTest {

  private final SimFabric fabric = SimFabric.builder().address("10.0.0.1").build();
  private final Scheduler scheduler = fabric.scheduler();
  private final List<String> seen = new ArrayList<>();

  private void see(String what) {
    seen.add(what + " at " + scheduler.now(TimeUnit.MILLISECONDS));
  }

  @Test
  void operatorsWithTimeRunInVirtualTimeAndOnlyWhileTheFabricIsDriven() {
    Flux.interval(Duration.ofMillis(10), scheduler).take(2).subscribe(tick -> see("tick"));
    Mono.never()
        .timeout(Duration.ofSeconds(3), scheduler)
        .subscribe(
            nothing -> {}, failure -> see(failure instanceof TimeoutException ? "late" : "failed"));
    assertThat(seen).isEmpty();
    fabric.runFor(Duration.ofMillis(15));
    assertThat(seen).containsExactly("tick at 10");
    fabric.runFor(Duration.ofHours(1));
    assertThat(seen).containsExactly("tick at 10", "tick at 20", "late at 3000");
  }

  @Test
  void whatIsDisposedDoesNotRun() {
    Disposable.Composite all = Disposables.composite();
    all.add(scheduler.schedule(() -> see("now")));
    all.add(scheduler.schedule(() -> see("later"), 1, TimeUnit.SECONDS));
    all.add(scheduler.schedulePeriodically(() -> see("again"), 0, 1, TimeUnit.SECONDS));
    all.dispose();
    fabric.runFor(Duration.ofMinutes(1));
    assertThat(seen).isEmpty();
  }

  @Test
  void aWorkerGivesUpItsTasksAndTakesNoMore() {
    Scheduler.Worker worker = scheduler.createWorker();
    worker.schedule(() -> see("first"));
    worker.schedule(() -> see("second"), 5, TimeUnit.MILLISECONDS);
    worker.schedulePeriodically(() -> see("again"), 7, 7, TimeUnit.MILLISECONDS);
    fabric.runFor(Duration.ofMillis(6));
    worker.dispose();
    fabric.runFor(Duration.ofMillis(100));
    assertThat(seen).containsExactly("first at 0", "second at 5");
    assertThat(worker.isDisposed()).isTrue();
    assertThatThrownBy(() -> worker.schedule(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void aTaskThatFailsDoesNotEndTheOthers() {
    scheduler.schedule(
        () -> {
          throw new IllegalStateException("thrown by the test");
        });
    scheduler.schedule(() -> see("next"));
    fabric.runFor(Duration.ofMillis(1));
    assertThat(seen).containsExactly("next at 0");
  }
}
