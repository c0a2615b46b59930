package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ReassemblerTest {

  @Test
  void theLastMissingChunkCompletesTheMessageOnce() {
    Reassembler message = new Reassembler(130);
    assertThat(message.mark(0, 64)).isFalse();
    assertThat(message.mark(66, 64)).isFalse();
    assertThat(message.receivedChunks()).isEqualTo(128);
    assertThat(message.mark(60, 10)).isTrue();
    assertThat(message.mark(60, 10)).isFalse();
    assertThat(message.mark(0, 130)).isFalse();
    assertThat(message.receivedChunks()).isEqualTo(130);
  }

  @Test
  void marksAgreeWithASetOfChunks() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      int count = random.nextInt(1, 300);
      Reassembler message = new Reassembler(count);
      boolean[] marked = new boolean[count];
      int left = count;
      while (left > 0) {
        int first = random.nextInt(count);
        int run = random.nextInt(count - first + 1);
        int before = left;
        for (int chunk = first; chunk < first + run; chunk++) {
          left -= marked[chunk] ? 0 : 1;
          marked[chunk] = true;
        }
        assertThat(message.mark(first, run)).as("seed %d", seed).isEqualTo(left == 0 && before > 0);
        assertThat(message.receivedChunks()).as("seed %d", seed).isEqualTo(count - left);
      }
    }
  }

  @Test
  void chunksThatTheMessageDoesNotHaveAreRefusedAndMarkNothing() {
    Reassembler message = new Reassembler(10);
    int[][] ranges = {{-1, 1}, {0, 11}, {10, 1}, {5, -1}, {5, Integer.MAX_VALUE}, {11, 0}};
    for (int[] range : ranges) {
      assertThatThrownBy(() -> message.mark(range[0], range[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(message.receivedChunks()).isZero();
    assertThatThrownBy(() -> new Reassembler(0).mark(0, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aMessageOfTerabytesIsMarked() {
    Reassembler message = new Reassembler(1 << 27);
    assertThat(message.mark(0, (1 << 27) - 1)).isFalse();
    assertThat(message.mark((1 << 27) - 1, 1)).isTrue();
  }

  @Test
  void fourThreadsWithDuplicatesCompleteEveryMessageExactlyOnce() throws Exception {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom seeds = new SplittableRandom(seed);
    List<Reassembler> messages = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      messages.add(new Reassembler(seeds.nextInt(1, 200)));
    }
    int completed = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<Integer>> runs = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        SplittableRandom random = seeds.split();
        Callable<Integer> run = () -> completedBy(messages, random);
        runs.add(threads.submit(run));
      }
      for (Future<Integer> run : runs) {
        completed += run.get();
      }
    }
    assertThat(completed).as("seed %d", seed).isEqualTo(messages.size());
  }

  /** Marks all chunks of all messages, in runs of its own from a place of its own. */
  private static int completedBy(List<Reassembler> messages, SplittableRandom random) {
    int completed = 0;
    for (Reassembler message : messages) {
      int count = message.chunkCount();
      int start = random.nextInt(count);
      for (int done = 0; done < count; ) {
        int first = (start + done) % count;
        int run = random.nextInt(1, Math.min(count - done, count - first) + 1);
        completed += message.mark(first, run) ? 1 : 0;
        done += run;
      }
    }
    return completed;
  }
}
