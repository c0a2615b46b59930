package io.maestro.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random work in both directions on several connections at once, every byte compared. */
abstract class TrafficContract extends ContractGroup {
  private static final int PAIRS = 3;
  private static final int WORK_REQUESTS = 400;

  TrafficContract(ContractHost host) {
    super(host);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void randomTrafficInBothDirectionsLandsByteForByte(long seed) {
    Random seeds = new Random(seed);
    List<TrafficEnd> ends = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      ends.addAll(connectEnds(seeds, fabric.client.loops().get(i % 2)));
    }
    ends.forEach(end -> fabric.run(end.handler(), end::start));
    fabric.await(
        "seed " + seed + ": all work is done", () -> ends.stream().allMatch(TrafficEnd::isDone));
    for (TrafficEnd end : ends) {
      assertThat(end.failures()).as("seed %d", seed).isEmpty();
      assertThat(end.differences()).as("seed %d", seed).isEmpty();
    }
  }

  private List<TrafficEnd> connectEnds(Random seeds, EventLoop loop) {
    TrafficEnd active =
        new TrafficEnd(
            fabric.handler(),
            fabric.clientRegion(TrafficEnd.REGION_BYTES),
            new Random(seeds.nextLong()),
            WORK_REQUESTS);
    TrafficEnd passive =
        new TrafficEnd(
            fabric.handler(),
            fabric.serverRegion(TrafficEnd.REGION_BYTES),
            new Random(seeds.nextLong()),
            WORK_REQUESTS);
    active.isPeerOf(passive);
    passive.isPeerOf(active);
    QpOptions options =
        new QpOptions(
            fabric.clientDomain,
            loop,
            ContractFixture.SEND_DEPTH,
            ContractFixture.RECV_DEPTH,
            ContractFixture.READ_DEPTH);
    fabric.connect(
        options, fabric.serverQp(), new ContractFixture.Pair(active.handler(), passive.handler()));
    return List.of(active, passive);
  }
}
