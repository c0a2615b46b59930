package io.maestro.verbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.EventLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimerHeapTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void timersFireInTheOrderOfTheirDeadlinesUnlessCancelled(long seed) throws IOException {
    Random random = new Random(seed);
    IwarpLoop loop = new IwarpLoop(0, false);
    List<Long> expected = new ArrayList<>();
    List<Long> fired = new ArrayList<>();
    List<EventLoop.Timer> all = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      long deadlineNs = random.nextInt(100_000);
      TimerHeap.Entry entry = new TimerHeap.Entry(loop, deadlineNs, () -> fired.add(deadlineNs));
      entry.run();
      if (random.nextInt(3) == 0) {
        entry.cancel();
        // What the loop does with the cancellation that it was given as a task.
        entry.run();
      } else {
        expected.add(deadlineNs);
      }
      all.add(entry);
    }
    expected.sort(null);
    for (TimerHeap.Entry due = loop.timers().pollDue(99_999);
        due != null;
        due = loop.timers().pollDue(99_999)) {
      due.fire();
    }
    assertThat(fired).as("seed %d", seed).isEqualTo(expected);
    assertThat(loop.timers().delayNs(0)).isEqualTo(Long.MAX_VALUE);
    assertThat(all).hasSize(1000);
  }
}
