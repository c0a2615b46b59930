package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default strategy on paths that are queues: shares, totals, and how fast they follow. */
class BalanceTest {
  private static final long SECOND = 1_000_000_000;
  private static final long RATE = 25_000_000;
  private static final long RTT = 1_000_000;

  private static QueueSimulation paths(Long... rates) {
    return new QueueSimulation(List.of(rates), RTT, 1).with(new CnpWeighted());
  }

  private static QueueSimulation equal(int count) {
    return new QueueSimulation(Collections.nCopies(count, RATE), RTT, 1).with(new CnpWeighted());
  }

  private static double total(long[] bytes) {
    return LongStream.of(bytes).sum();
  }

  @Test
  void sharesFollowTheRatesOfAnyPathsAndNoneIsWasted() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < 40; run++) {
      long[] rates = random.longs(random.nextInt(2, 9), RATE / 20, RATE).toArray();
      QueueSimulation simulation = paths(LongStream.of(rates).boxed().toArray(Long[]::new));
      for (int path = 0; path < rates.length; path++) {
        simulation.rtt(path, random.nextLong(100_000, 20_000_000));
      }
      simulation.sendFor(2 * SECOND);
      long[] bytes = simulation.sendFor(2 * SECOND);
      String what = "seed %d, rates %s".formatted(seed, Arrays.toString(rates));
      assertThat(total(bytes)).as(what).isGreaterThan(0.98 * 2 * total(rates));
      for (int path = 0; path < rates.length; path++) {
        double available = rates[path] / total(rates);
        assertThat(bytes[path] / total(bytes))
            .as("bytes of path %d, %s", path, what)
            .isCloseTo(available, within(0.03 * available + 2 * oneChunkIn(2, rates)));
        assertThat(simulation.weight(path))
            .as("weight of path %d, %s", path, what)
            .isCloseTo(available, within(0.1 * available + oneChunkIn(0.2, rates)));
      }
    }
  }

  /** The share that one chunk makes of all in that time: no estimate over it can be finer. */
  private static double oneChunkIn(double seconds, long... rates) {
    return QueueSimulation.CHUNK / (seconds * total(rates));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.9, 0.75, 0.5, 0.25, 0.1, 0.05})
  void backgroundTrafficIsFollowedWithinASecondBothWays(double left) {
    QueueSimulation simulation = equal(4);
    simulation.sendFor(2 * SECOND);
    simulation.rate(1, (long) (RATE * left));
    double available = left / (3 + left);
    follow(simulation, 1, available, RATE * (3 + left));
    simulation.rate(1, RATE);
    follow(simulation, 1, 0.25, RATE * 4.0);
  }

  /** A second after a change, the share of the bytes of the next is right, and none is wasted. */
  private static void follow(QueueSimulation simulation, int path, double share, double rate) {
    double carried = total(simulation.sendFor(SECOND));
    long[] after = simulation.sendFor(SECOND);
    assertThat(carried).isGreaterThan(0.95 * rate);
    assertThat(total(after)).isGreaterThan(0.98 * rate);
    assertThat(after[path] / total(after)).isBetween(0.95 * share, 1.05 * share);
    assertThat(simulation.weight(path)).isBetween(0.9 * share, 1.1 * share);
  }

  @Test
  void aPathWithMoreBandwidthNeverGetsLess() {
    double least = 0;
    for (long rate = RATE / 20; rate <= RATE; rate += RATE / 20) {
      QueueSimulation simulation = paths(RATE, rate, RATE / 2);
      simulation.sendFor(2 * SECOND);
      long[] bytes = simulation.sendFor(SECOND);
      double share = bytes[1] / total(bytes);
      assertThat(share).isGreaterThan(least);
      least = share;
    }
  }

  @Test
  void moreEqualPathsNeverCarryLess() {
    double before = 0;
    for (int count = 1; count <= 8; count++) {
      QueueSimulation simulation = equal(count);
      simulation.sendFor(SECOND);
      double carried = total(simulation.sendFor(SECOND));
      assertThat(carried).isGreaterThan(before + 0.95 * RATE);
      before = carried;
    }
  }

  @Test
  void addedSlowPathsNeverHoldAMessageUp() {
    long before = Long.MAX_VALUE;
    for (int slow = 0; slow <= 7; slow++) {
      Long[] rates = new Long[1 + slow];
      Arrays.fill(rates, RATE / 10);
      rates[0] = RATE;
      QueueSimulation simulation = paths(rates);
      simulation.sendFor(2 * SECOND);
      simulation.send(1000);
      long tookNs = simulation.send(1000);
      assertThat(tookNs).isLessThan(before);
      before = tookNs;
    }
  }

  @Test
  void noiseDoesNotMakeEqualPathsUnequal() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    QueueSimulation simulation = equal(4);
    for (int step = 0; step < 2000; step++) {
      int path = random.nextInt(4);
      simulation.rate(path, (long) (RATE * random.nextDouble(0.7, 1.3)));
      simulation.sendFor(5_000_000);
      if (step > 200) {
        for (int other = 0; other < 4; other++) {
          assertThat(simulation.weight(other)).as("seed %d", seed).isBetween(0.2, 0.3);
        }
      }
    }
    double mean = total(simulation.ackedByPath) / 4;
    for (long bytes : simulation.ackedByPath) {
      assertThat((double) bytes).as("seed %d", seed).isBetween(0.95 * mean, 1.05 * mean);
    }
  }

  @Test
  void marksKeepQueuesShortAndPathsBusy() {
    QueueSimulation simulation = equal(4).markingAbove(2L * QueueSimulation.CHUNK);
    simulation.sendFor(2 * SECOND);
    long inFlight = 0;
    for (int path = 0; path < 4; path++) {
      inFlight += simulation.load.unackedBytes(path);
    }
    assertThat(inFlight).isLessThan(4 * 10L * QueueSimulation.CHUNK);
    assertThat(total(simulation.sendFor(SECOND))).isGreaterThan(0.98 * 4 * RATE);
  }
}
