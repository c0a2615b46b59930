package io.maestro.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Threads, tasks and timers. */
abstract class LoopContract extends ContractGroup {
  private static final long MILLISECOND_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());

  LoopContract(ContractHost host) {
    super(host);
  }

  @Test
  void aDeviceHasTheLoopsThatWereAskedFor() {
    assertThat(fabric.client.loops()).hasSize(2).doesNotHaveDuplicates();
    assertThat(fabric.server.loops()).hasSize(1);
    assertThat(fabric.client.loops()).isEqualTo(fabric.client.loops());
  }

  @Test
  void onlyATaskOfTheLoopIsInTheLoop() {
    EventLoop first = fabric.client.loops().getFirst();
    EventLoop second = fabric.client.loops().getLast();
    assertThat(first.inLoop()).isFalse();
    List<Boolean> inLoop = fabric.on(first, () -> List.of(first.inLoop(), second.inLoop()));
    assertThat(inLoop).containsExactly(true, false);
    assertThat(first.inLoop()).isFalse();
  }

  @Test
  void tasksRunInTheOrderOfSubmission() {
    EventLoop loop = fabric.client.loops().getFirst();
    for (int i = 0; i < 1000; i++) {
      int number = i;
      loop.execute(() -> seen.add(number));
    }
    fabric.await("all have run", () -> seen.size() == 1000);
    assertThat(seen).containsExactlyElementsOf(IntStream.range(0, 1000).boxed().toList());
  }

  @Test
  void tasksOfManyThreadsAllRunEachThreadsInOrder() throws InterruptedException {
    EventLoop loop = fabric.client.loops().getFirst();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int base = thread * 10_000;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 1000; i++) {
                      int number = base + i;
                      loop.execute(() -> seen.add(number));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    fabric.await("all have run", () -> seen.size() == 4000);
    for (int thread = 0; thread < 4; thread++) {
      int base = thread * 10_000;
      assertThat(seen.stream().filter(number -> number / 10_000 == base / 10_000))
          .containsExactlyElementsOf(IntStream.range(base, base + 1000).boxed().toList());
    }
  }

  @Test
  void aTaskOfTheLoopItselfRunsAfterTheOneThatGaveIt() {
    EventLoop loop = fabric.client.loops().getFirst();
    loop.execute(
        () -> {
          loop.execute(() -> seen.add(2));
          seen.add(1);
        });
    fabric.await("both have run", () -> seen.size() == 2);
    assertThat(seen).containsExactly(1, 2);
  }

  @Test
  void aTaskGivenWhileCompletionsAreHandledRunsAfterTheHandler() {
    RecordingHandler passive =
        fabric
            .handler()
            .whenCompleted(
                (qp, wc) -> {
                  qp.loop().execute(() -> seen.add(2));
                  seen.add(1);
                });
    ContractFixture.Pair pair = fabric.connect(fabric.handler(), passive);
    fabric.roundTrip(pair.client(), pair.server());
    fabric.await("both have run", () -> seen.size() == 2);
    assertThat(seen).containsExactly(1, 2);
  }

  @Test
  void timersFireInOrderAndNotEarly() {
    EventLoop loop = fabric.client.loops().getFirst();
    List<Long> lateNs = Collections.synchronizedList(new ArrayList<>());
    // From the loop, so that none is due before the last of them is known.
    loop.execute(
        () -> {
          long startNs = loop.nanoTime();
          for (int delayMs : new int[] {40, 5, 60, 20, 0}) {
            loop.schedule(
                delayMs * MILLISECOND_NS,
                () -> {
                  lateNs.add(loop.nanoTime() - startNs - delayMs * MILLISECOND_NS);
                  assertThat(loop.inLoop()).isTrue();
                  seen.add(delayMs);
                  Pulse.beat();
                });
          }
        });
    fabric.await("all have fired", () -> seen.size() == 5);
    assertThat(seen).containsExactly(0, 5, 20, 40, 60);
    assertThat(lateNs).allSatisfy(late -> assertThat(late).isGreaterThan(-MILLISECOND_NS));
  }

  @Test
  void aTimerIsScheduledFromTheLoop() {
    EventLoop loop = fabric.client.loops().getFirst();
    fabric.on(loop, () -> loop.schedule(2 * MILLISECOND_NS, () -> seen.add(1)));
    fabric.await("it has fired", () -> seen.size() == 1);
  }

  @Test
  void aCancelledTimerDoesNotFire() {
    EventLoop loop = fabric.client.loops().getFirst();
    EventLoop.Timer first = loop.schedule(20 * MILLISECOND_NS, () -> seen.add(1));
    EventLoop.Timer second = loop.schedule(20 * MILLISECOND_NS, () -> seen.add(2));
    loop.schedule(40 * MILLISECOND_NS, () -> seen.add(3));
    first.cancel();
    first.cancel();
    fabric.on(
        loop,
        () -> {
          second.cancel();
          return loop;
        });
    fabric.await("the last has fired", () -> seen.contains(3));
    second.cancel();
    assertThat(seen).containsExactly(3);
  }

  @Test
  void theClockGoesForward() {
    EventLoop loop = fabric.client.loops().getFirst();
    long first = fabric.on(loop, loop::nanoTime);
    ContractFixture.Pair pair = fabric.connect();
    fabric.roundTrip(pair.client(), pair.server());
    long second = fabric.on(loop, loop::nanoTime);
    assertThat(second - first).isPositive();
  }

  @Test
  void aForeignThreadCannotUseAQueuePair() {
    MemoryRegion here = fabric.clientRegion(10);
    ContractFixture.Pair pair = fabric.connect();
    QueuePair qp = pair.client().qp();
    isRefused(() -> qp.postWrite(1, here, 0, 10, 0, 0));
    isRefused(() -> qp.postRead(1, here, 0, 10, 0, 0));
    isRefused(() -> qp.postSend(1, here, 0, 10));
    isRefused(() -> qp.postRecv(1, here, 0, 10));
    isRefused(qp::flush);
    isRefused(qp::signals);
    isRefused(qp::close);
    assertThatThrownBy(
            () -> fabric.on(fabric.client.loops().getLast(), () -> qp.postSend(1, here, 0, 10)))
        .isInstanceOf(IllegalStateException.class);
    fabric.roundTrip(pair.client(), pair.server());
  }

  private static void isRefused(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalStateException.class);
  }
}
