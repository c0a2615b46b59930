package io.maestro.testing.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TCP over the fabric is limited, marked and delayed as it was told. */
@WithFabric(
    spines = 1,
    mbit = 100,
    commands = {"iperf3", "ss", "python3"})
class FabricTrafficIT {
  private static final int PORT = 5201;
  private static final int SOURCE_PORT = 42000;
  private static final int SECONDS = 5;
  private static final Pattern DELIVERED_MARKED = Pattern.compile("delivered_ce:([0-9]+)");
  private static final Pattern MIN_RTT = Pattern.compile("minrtt:([0-9.]+)");

  private final Fabric fabric;
  private NodeProcess server;

  FabricTrafficIT(Fabric fabric) {
    this.fabric = fabric;
  }

  @BeforeEach
  void serve() throws Exception {
    server = Iperf.serve(fabric, 2, PORT);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 40})
  void aStreamGetsTheRateOfItsLink(int mbit) throws Exception {
    fabric.rate("spine1", mbit);
    try {
      // Headers take 0.7 % at MTU 9000.
      assertThat(Iperf.stream(fabric, PORT, SOURCE_PORT, SECONDS))
          .isCloseTo(mbit, within(0.06 * mbit));
    } finally {
      fabric.rate("spine1", 100);
    }
  }

  @Test
  void aDeepQueueMarksAndTheSenderIsTold() throws Exception {
    FabricCounters before = fabric.counters();
    try (NodeProcess client = Iperf.start(fabric, PORT, SOURCE_PORT, 3)) {
      double told = 0;
      while (told == 0 && client.process().isAlive()) {
        told = largest(DELIVERED_MARKED);
      }
      assertThat(told).isPositive();
      client.awaitSuccess(Iperf.LIMIT);
    }
    FabricCounters after = fabric.counters();
    assertThat(after.node("spine1").cePacketsIn())
        .isGreaterThan(before.node("spine1").cePacketsIn());
    assertThat(after.node("host2").cePacketsIn()).isGreaterThan(before.node("host2").cePacketsIn());
    assertThat(after.port("leaf1", "spine1").queueDrops()).isZero();
  }

  @Test
  void aDelayLengthensTheRoundTripByTwiceAsMuch() throws Exception {
    fabric.delay("spine1", 15);
    try (NodeProcess client = Iperf.start(fabric, PORT, SOURCE_PORT, 2)) {
      double minRttMs = 0;
      while (minRttMs == 0 && client.process().isAlive()) {
        minRttMs = largest(MIN_RTT);
      }
      assertThat(minRttMs).isBetween(30.0, 45.0);
    } finally {
      fabric.delay("spine1", 0);
    }
  }

  @Test
  void aStreamGetsWhatTheBackgroundLeaves() throws Exception {
    try (Fabric.Background background = fabric.background("spine1", 60)) {
      assertThat(background).isNotNull();
      assertThat(Iperf.stream(fabric, PORT, SOURCE_PORT, SECONDS))
          .isCloseTo(40, Percentage.withPercentage(12));
    }
    assertThat(Iperf.stream(fabric, PORT, SOURCE_PORT, SECONDS))
        .isCloseTo(100, Percentage.withPercentage(6));
  }

  /** The largest value that a socket of host1 reports, 0 for none. */
  private double largest(Pattern pattern) throws InterruptedException {
    String sockets = String.join("\n", fabric.exec("host1", "ss", "-tinOH"));
    Matcher matcher = pattern.matcher(sockets);
    double largest = 0;
    while (matcher.find()) {
      largest = Math.max(largest, Double.parseDouble(matcher.group(1)));
    }
    return largest;
  }
}
