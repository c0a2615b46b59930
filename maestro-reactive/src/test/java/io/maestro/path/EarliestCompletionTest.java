package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EarliestCompletionTest {
  private static final int CHUNK = 50 * 1024;
  private static final long FAST = 1_000_000_000;
  private static final long SLOW = 100_000_000;
  private static final long WINDOW = 4 << 20;

  private static PathLoad paths(int count, long rate) {
    PathLoad load = new PathLoad(count);
    load.paths(count);
    for (int path = 0; path < count; path++) {
      load.usable(path, true);
      load.measured(path, rate, 100_000);
      load.window(path, WINDOW, WINDOW);
    }
    return load;
  }

  private static long largest(long... bytes) {
    return LongStream.of(bytes).max().orElseThrow();
  }

  private static long smallest(long... bytes) {
    return LongStream.of(bytes).min().orElseThrow();
  }

  @Test
  void aPathThatIsUnusableOrFullIsNeverChosen() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 200_000; i++) {
      PathLoad load = randomLoad(random);
      long chunk = random.nextInt(1, 1 << 20);
      long backlog = random.nextLong() >>> random.nextInt(1, 64);
      int chosen = EarliestCompletion.choose(load, chunk, backlog);
      if (chosen != EarliestCompletion.WAIT) {
        assertThat(load.usable(chosen) && load.hasRoom(chosen, chunk)).as("seed %d", seed).isTrue();
      } else {
        assertThat(hasReasonToWait(load, chunk)).as("seed %d, round %d", seed, i).isTrue();
      }
    }
  }

  /** Nothing to choose from, or something in flight whose acknowledgement ends the wait. */
  private static boolean hasReasonToWait(PathLoad load, long chunk) {
    boolean room = false;
    boolean fullInFlight = false;
    for (int path = 0; path < load.paths(); path++) {
      room |= load.usable(path) && load.hasRoom(path, chunk);
      fullInFlight |=
          load.usable(path) && !load.hasRoom(path, chunk) && load.unackedBytes(path) > 0;
    }
    return !room || fullInFlight;
  }

  private static PathLoad randomLoad(SplittableRandom random) {
    PathLoad load = new PathLoad(8);
    load.paths(random.nextInt(9));
    for (int path = 0; path < load.paths(); path++) {
      load.usable(path, random.nextInt(4) > 0);
      long anything = random.nextLong() >>> random.nextInt(1, 64);
      long rate = random.nextBoolean() ? anything : 0;
      load.measured(path, rate, anything(random));
      load.window(path, anything(random), anything(random));
      load.unackedBytes(path, random.nextBoolean() ? 0 : anything(random));
    }
    return load;
  }

  private static long anything(SplittableRandom random) {
    return random.nextLong() >>> random.nextInt(1, 64);
  }

  @Test
  void withoutPathsItWaits() {
    assertThat(EarliestCompletion.choose(new PathLoad(4), CHUNK, 0)).isEqualTo(-1);
  }

  @Test
  void equalPathsTakeTurns() {
    PathLoad load = paths(4, FAST);
    for (int turn = 0; turn < 12; turn++) {
      int path = EarliestCompletion.choose(load, CHUNK, 0);
      assertThat(path).isEqualTo(turn % 4);
      load.issued(path, CHUNK);
    }
  }

  @Test
  void inTheBulkSharesFollowTheWeights() {
    PathLoad load = paths(2, FAST);
    load.weight(0, 3);
    long[] bytes = new long[2];
    for (int i = 0; i < 1000; i++) {
      int path = EarliestCompletion.choose(load, CHUNK, 1000L * CHUNK);
      bytes[path] += CHUNK;
      load.issued(path, CHUNK);
      load.settled(path, CHUNK);
    }
    assertThat((double) bytes[0] / bytes[1]).isCloseTo(3, within(0.02));
  }

  @Test
  void aPathThatIsFullIsMadeUpForLater() {
    PathLoad load = paths(2, FAST);
    load.unackedBytes(1, WINDOW);
    for (int i = 0; i < 10; i++) {
      int path = EarliestCompletion.choose(load, CHUNK, 1000L * CHUNK);
      assertThat(path).isZero();
      load.issued(path, CHUNK);
    }
    load.unackedBytes(0, 0);
    load.unackedBytes(1, 0);
    for (int i = 0; i < 10; i++) {
      int path = EarliestCompletion.choose(load, CHUNK, 1000L * CHUNK);
      assertThat(path).isEqualTo(1);
      load.issued(path, CHUNK);
    }
    assertThat(load.aheadBytes(0)).isZero();
  }

  @Test
  void aPathThatIsAheadOfItsShareKeepsNoMoreInFlightThanItNeeds() {
    PathLoad load = paths(2, FAST);
    load.window(0, 20 * CHUNK, 80 * CHUNK);
    load.window(1, 20 * CHUNK, 80 * CHUNK);
    load.unackedBytes(1, 80 * CHUNK);
    while (load.hasRoom(0, CHUNK)) {
      load.issued(0, CHUNK);
    }
    assertThat(load.unackedBytes(0) / CHUNK).isBetween(20L, 50L);
    for (int i = 0; i < 1000; i++) {
      load.settled(0, CHUNK);
      load.issued(0, CHUNK);
    }
    load.unackedBytes(0, 20 * CHUNK);
    assertThat(load.hasRoom(0, CHUNK)).isFalse();
    load.unackedBytes(0, 19 * CHUNK);
    assertThat(load.hasRoom(0, CHUNK)).isTrue();
  }

  @Test
  void aPathWithoutDescriptorsIsFullAndNotGone() {
    PathLoad load = paths(2, FAST);
    load.measured(1, SLOW, 100_000);
    load.slots(0, 1);
    load.issued(0, CHUNK);
    assertThat(EarliestCompletion.choose(load, CHUNK, 0)).isEqualTo(EarliestCompletion.WAIT);
    load.settled(0, CHUNK);
    assertThat(EarliestCompletion.choose(load, CHUNK, 0)).isZero();
  }

  @Test
  void equalPathsGetEqualBytesWithinOneChunk() {
    for (int count : new int[] {1, 2, 3, 4, 8}) {
      var simulation = new QueueSimulation(Collections.nCopies(count, FAST), 200_000, WINDOW);
      simulation.send(1000);
      assertThat(largest(simulation.bytesByPath) - smallest(simulation.bytesByPath))
          .isLessThanOrEqualTo(CHUNK);
    }
  }

  @Test
  void differencesOfMeasurementDoNotSteer() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    PathLoad load = paths(4, FAST);
    long[] bytes = new long[4];
    for (int i = 0; i < 10_000; i++) {
      for (int path = 0; path < 4; path++) {
        load.measured(
            path, random.nextLong(FAST, FAST * 5 / 4), random.nextLong(1, 10_000) + 10_000);
      }
      int path = EarliestCompletion.choose(load, CHUNK, 0);
      bytes[path] += CHUNK;
      load.issued(path, CHUNK);
      if (i % 64 == 63) {
        for (int all = 0; all < 4; all++) {
          load.unackedBytes(all, 0);
        }
      }
    }
    assertThat(largest(bytes) - smallest(bytes)).as("seed %d", seed).isLessThanOrEqualTo(CHUNK);
  }

  @Test
  void anUnknownRateCountsAsTheMean() {
    PathLoad load = paths(3, FAST);
    load.measured(1, 0, 0);
    load.unackedBytes(0, 10 * CHUNK);
    load.unackedBytes(2, 10 * CHUNK);
    load.unackedBytes(1, 9 * CHUNK);
    assertThat(EarliestCompletion.choose(load, CHUNK, 0)).isEqualTo(1);
    load.unackedBytes(1, 11 * CHUNK);
    assertThat(EarliestCompletion.choose(load, CHUNK, 0)).isEqualTo(0);
  }

  @Test
  void theLastChunkWaitsForAFullFastPathButOneOfManyDoesNot() {
    PathLoad load = paths(2, FAST);
    load.measured(1, SLOW, 100_000);
    load.window(0, 5 * CHUNK, 5 * CHUNK);
    load.unackedBytes(0, 5 * CHUNK);
    assertThat(EarliestCompletion.choose(load, CHUNK, 0)).isEqualTo(EarliestCompletion.WAIT);
    assertThat(EarliestCompletion.choose(load, CHUNK, 1000L * CHUNK)).isEqualTo(1);
    load.usable(0, false);
    assertThat(EarliestCompletion.choose(load, CHUNK, 0)).isEqualTo(1);
  }

  @Test
  void anIdlePathTakesAChunkLargerThanItsWindow() {
    PathLoad load = paths(1, FAST);
    load.window(0, 10, 10);
    assertThat(EarliestCompletion.choose(load, CHUNK, 0)).isEqualTo(0);
  }

  @Test
  void tenToOneRatesSplitTheBytesTenToOne() {
    for (long rttNs : new long[] {0, 100_000, 1_000_000, 10_000_000}) {
      long window = Math.max(16 * CHUNK, 2 * FAST * rttNs / 1_000_000_000);
      var simulation = new QueueSimulation(List.of(FAST, SLOW), rttNs, window);
      simulation.send(11_000);
      double share = simulation.bytesByPath[1] / (11_000.0 * CHUNK);
      assertThat(share).as("round trip %d", rttNs).isCloseTo(1 / 11.0, within(0.003));
    }
  }

  @Test
  void aMessageEndsWithinOneSlowChunkOfTheIdeal() {
    for (List<Long> rates :
        List.of(List.of(FAST, SLOW), List.of(FAST, FAST, FAST, SLOW), List.of(FAST, FAST / 2))) {
      for (int chunks = 1000; chunks < 1020; chunks++) {
        var simulation = new QueueSimulation(rates, 100_000, 16 * CHUNK);
        long tookNs = simulation.send(chunks) - simulation.rttNs() / 2;
        long slowNs = QueueSimulation.chunkNs(rates.getLast());
        assertThat(tookNs).isLessThanOrEqualTo(simulation.idealNs(chunks) + slowNs);
      }
    }
  }

  @Test
  void measuredRatesAndWindowsSplitTheBytesToo() {
    var simulation =
        new QueueSimulation(List.of(FAST, SLOW), 200_000, WINDOW).with(new CnpWeighted());
    simulation.send(20_000);
    double share = simulation.bytesByPath[1] / (20_000.0 * CHUNK);
    assertThat(share).isCloseTo(1 / 11.0, within(0.005));
    long tookNs = simulation.send(20_000);
    assertThat((double) tookNs)
        .isCloseTo((double) simulation.idealNs(20_000), within(0.02 * tookNs));
  }

  @Test
  void measuredEqualPathsStayEqual() {
    var simulation =
        new QueueSimulation(Collections.nCopies(4, FAST), 50_000, WINDOW).with(new CnpWeighted());
    for (int message = 0; message < 50; message++) {
      simulation.send(1 + 37 * message);
    }
    assertThat(largest(simulation.bytesByPath))
        .isLessThan((long) (1.02 * smallest(simulation.bytesByPath)));
  }

  @Test
  void aSlowPathThatBecomesFastGetsItsShareAgain() {
    var simulation =
        new QueueSimulation(List.of(FAST, SLOW), 200_000, WINDOW).with(new CnpWeighted());
    simulation.send(20_000);
    simulation.rate(1, FAST);
    simulation.send(2_000);
    long before = simulation.bytesByPath[1];
    simulation.send(20_000);
    double share = (simulation.bytesByPath[1] - before) / (20_000.0 * CHUNK);
    assertThat(share).isCloseTo(0.5, within(0.01));
  }
}
