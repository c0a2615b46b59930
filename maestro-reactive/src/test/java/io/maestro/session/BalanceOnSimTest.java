package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.sim.LinkOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a session carries over paths that differ, or change, in virtual time. */
class BalanceOnSimTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long RATE = 25_000_000;

  /** Bytes of a packet beside the payload, of each 9,000. */
  private static final double GOODPUT = 9000.0 / 9064;

  private static LinkOptions link(double part, int delayUs) {
    return BulkOnSim.link((long) (RATE * part), Duration.ofNanos(delayUs * 1000L));
  }

  private static BulkOnSim bulk(List<LinkOptions> links) {
    return new BulkOnSim(links, "cnp-weighted").start();
  }

  private static double sum(long... bytes) {
    return LongStream.of(bytes).sum();
  }

  @ParameterizedTest
  @CsvSource({"1,0.1,100,100", "1,1,50,10000", "1,0.1,5000,100", "0.1,1,50,20000", "1,0.5,100,100"})
  void twoUnequalPathsCarryWhatBothCan(double one, double other, int delayUs, int otherDelayUs) {
    try (BulkOnSim bulk = bulk(List.of(link(one, delayUs), link(other, otherDelayUs)))) {
      bulk.carried(SECOND);
      long[] bytes = bulk.carried(SECOND.multipliedBy(2));
      double available = 2 * RATE * GOODPUT;
      assertThat(sum(bytes)).isGreaterThan(0.95 * (one + other) * available);
      assertThat(bytes[0] / available / one).isBetween(0.9, 1.01);
      assertThat(bytes[1] / available / other).isBetween(0.9, 1.01);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.75, 0.5, 0.25, 0.1})
  void backgroundTrafficIsFollowedWithinASecondBothWays(double left) {
    try (BulkOnSim bulk = bulk(Collections.nCopies(4, link(1, 100)))) {
      bulk.carried(SECOND);
      bulk.rig.link(2, link(left, 100));
      follow(bulk, left / (3 + left), 3 + left);
      bulk.rig.link(2, link(1, 100));
      follow(bulk, 0.25, 4);
    }
  }

  /** The second after the change, and the one that follows it. */
  private static void follow(BulkOnSim bulk, double share, double paths) {
    double available = RATE * GOODPUT * paths;
    assertThat(sum(bulk.carried(SECOND))).isGreaterThan(0.95 * available);
    long[] bytes = bulk.carried(SECOND);
    assertThat(sum(bytes)).isGreaterThan(0.95 * available);
    assertThat(bytes[2] / sum(bytes)).isBetween(0.9 * share, 1.1 * share);
    assertThat(bulk.pair.client.paths().get(2).weight()).isBetween(0.85 * share, 1.15 * share);
  }

  @Test
  void moreEqualPathsAlwaysCarryMore() {
    double before = 0;
    for (int count = 1; count <= 8; count++) {
      try (BulkOnSim bulk = bulk(Collections.nCopies(count, link(1, 100)))) {
        bulk.carried(SECOND);
        double carried = sum(bulk.carried(SECOND));
        assertThat(carried).isGreaterThan(before + 0.95 * RATE * GOODPUT);
        before = carried;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8, 64})
  void slowPathsNeverHoldAMessageUp(int mebibytes) {
    long bytes = (long) mebibytes << 20;
    Duration alone = messageTime(bytes, link(1, 100));
    for (int slow = 1; slow <= 4; slow++) {
      LinkOptions[] links = new LinkOptions[1 + slow];
      Arrays.fill(links, link(0.1, 2000));
      links[0] = link(1, 100);
      assertThat(messageTime(bytes, links)).isLessThan(alone.multipliedBy(101).dividedBy(100));
    }
  }

  private static Duration messageTime(long bytes, LinkOptions... links) {
    try (BulkOnSim bulk = new BulkOnSim(List.of(links), "cnp-weighted")) {
      for (int message = 0; message < 8; message++) {
        bulk.send(16 << 20);
      }
      return bulk.send(bytes);
    }
  }

  @Test
  void marksKeepTheQueuesOfTheLinksShort() {
    try (BulkOnSim bulk = bulk(Collections.nCopies(4, link(1, 100)))) {
      bulk.carried(SECOND);
      bulk.pair.client.paths().forEach(path -> assertThat(path.rttNs()).isLessThan(15_000_000));
      assertThat(bulk.rig.drops()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"round-robin", "random", "least-in-flight", "cnp-weighted"})
  void everyStrategyFillsEqualPaths(String balancer) {
    List<LinkOptions> links = Collections.nCopies(4, link(1, 100));
    try (BulkOnSim bulk = new BulkOnSim(links, balancer).start()) {
      bulk.carried(SECOND);
      long[] bytes = bulk.carried(SECOND);
      double least = balancer.equals("random") ? 0.8 : 0.95;
      assertThat(sum(bytes)).isGreaterThan(least * 4 * RATE * GOODPUT);
    }
  }
}
