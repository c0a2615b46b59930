package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.ControlReport;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.api.PathController;
import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Mark;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathDirective.Weights;
import io.maestro.api.PathEvent;
import io.maestro.api.PathReport;
import io.maestro.api.PathSet;
import io.maestro.api.Region;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** A connection and its controller, in virtual time. */
class SteeringTest {
  private static final double[] EQUAL = {0.25, 0.25, 0.25, 0.25};
  private static final Weights UNEQUAL = new Weights(Map.of(0, 0.7, 1, 0.1, 2, 0.1, 3, 0.1));
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofMinutes(1);

  private final SimRig rig = new SimRig(7);
  private final Board board = new Board();
  private final List<PathEvent> events = new ArrayList<>();

  /** Says what the test says, to the last that asked. */
  private static final class Board implements PathController {
    private Sinks.Many<PathDirective> voice = Sinks.many().unicast().onBackpressureBuffer();
    private final List<ControlReport> reports = new ArrayList<>();
    private int asked;
    private int cancelled;

    @Override
    public Flux<PathDirective> directives(Flux<ControlReport> heard) {
      asked++;
      voice = Sinks.many().unicast().onBackpressureBuffer();
      heard.subscribe(reports::add);
      return voice.asFlux().doOnCancel(() -> cancelled++);
    }

    void say(PathDirective directive) {
      voice.tryEmitNext(directive).orThrow();
    }
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private Pair pair(int floor) {
    return pair(floor, board);
  }

  private Pair pair(int floor, PathController controller) {
    Pair pair =
        Pair.steered(
            rig,
            b ->
                ConnectionContract.DEFAULTS
                    .apply(b)
                    .balancer("controller-driven")
                    .control(new MaestroConfig.Control(floor, Duration.ofMillis(750))),
            controller);
    pair.client.pathEvents().subscribe(events::add);
    pair.server.receive().subscribe(message -> message.close());
    send(pair, 4 << 20);
    return pair;
  }

  private void send(Pair pair, long bytes) {
    try (Region region = Region.allocate(bytes)) {
      boolean[] sent = new boolean[1];
      pair.client.send(region).subscribe(done -> {}, failed -> {}, () -> sent[0] = true);
      for (int beat = 0; beat < 1000 && !sent[0]; beat++) {
        board.voice.tryEmitNext(new PathDirective.Heartbeat());
        rig.fabric.runFor(Duration.ofMillis(50));
      }
      assertThat(sent[0]).isTrue();
    }
  }

  private void say(PathDirective... directives) {
    List.of(directives).forEach(board::say);
    rig.fabric.runFor(Duration.ofMillis(10));
  }

  private static double[] weights(Pair pair) {
    return pair.client.paths().stream().mapToDouble(PathReport::weight).toArray();
  }

  private static boolean has(Pair pair, double[] expected) {
    double[] weights = weights(pair);
    for (int path = 0; path < weights.length; path++) {
      if (Math.abs(weights[path] - expected[path]) > 0.1) {
        return false;
      }
    }
    return true;
  }

  private List<Boolean> steered() {
    return events.stream()
        .filter(PathEvent.Steered.class::isInstance)
        .map(event -> ((PathEvent.Steered) event).following())
        .toList();
  }

  @Test
  void bytesFollowTheWeightsAsFarAsThePathsCarryThem() {
    Pair pair = pair(1);
    say(UNEQUAL);
    List<PathReport> before = pair.client.paths();
    send(pair, 64 << 20);
    double[] bytes = new double[4];
    double total = 0;
    for (PathReport now : pair.client.paths()) {
      bytes[now.id()] = now.ackedBytes() - before.get(now.id()).ackedBytes();
      total += bytes[now.id()];
    }
    assertThat(bytes[0] / total).isBetween(0.55, 0.75);
    for (int path = 1; path < 4; path++) {
      assertThat(bytes[path] / total).isLessThan(0.2);
    }
  }

  @Test
  void aSilentControllerIsLostWithinASecondAndFollowedAgainWhenItIsBack() {
    Pair pair = pair(1);
    say(UNEQUAL);
    for (int beat = 0; beat < 10; beat++) {
      rig.fabric.runFor(Duration.ofMillis(500));
      say(new PathDirective.Heartbeat());
    }
    assertThat(has(pair, new double[] {0.7, 0.1, 0.1, 0.1})).isTrue();
    rig.until(() -> has(pair, EQUAL), SECOND);
    int askedBefore = board.asked;
    rig.until(() -> board.asked > askedBefore, SECOND);
    assertThat(board.cancelled).isEqualTo(askedBefore);
    say(UNEQUAL);
    assertThat(has(pair, new double[] {0.7, 0.1, 0.1, 0.1})).isTrue();
    assertThat(steered()).containsExactly(true, false, true);
  }

  @Test
  void aControllerThatFailsOrEndsIsLostAtOnce() {
    Pair pair = pair(1);
    say(UNEQUAL);
    board.voice.tryEmitError(new IllegalStateException("crashed"));
    rig.until(() -> has(pair, EQUAL), Duration.ofMillis(10));
    rig.until(() -> board.asked == 2, SECOND);
    say(UNEQUAL);
    board.voice.tryEmitComplete();
    rig.until(() -> has(pair, EQUAL), Duration.ofMillis(10));
    assertThat(steered()).containsExactly(true, false, true, false);
  }

  @Test
  void deniedPathsCarryNothingAndTheFloorIsReported() {
    Pair pair = pair(2);
    for (int path = 0; path < 4; path++) {
      say(new Mark(new PathSet.Path(path), State.DENY));
    }
    List<PathReport> before = pair.client.paths();
    send(pair, 4 << 20);
    for (PathReport now : pair.client.paths()) {
      boolean carried = now.ackedBytes() > before.get(now.id()).ackedBytes();
      assertThat(carried).as("path %d", now.id()).isEqualTo(now.id() >= 2);
    }
    assertThat(refusals()).containsExactlyInAnyOrder(2, 3);
    say(new Mark(new PathSet.Path(9), State.DENY));
    rig.fabric.runFor(SECOND.dividedBy(2));
    assertThat(refusals()).containsExactlyInAnyOrder(2, 3, PathEvent.CONNECTION);
    assertThat(board.reports.stream().flatMap(report -> report.refusals().stream()))
        .extracting(ControlReport.Refusal::path)
        .containsExactlyInAnyOrder(2, 3, PathEvent.CONNECTION);
  }

  private List<Integer> refusals() {
    return events.stream()
        .filter(PathEvent.Refused.class::isInstance)
        .map(PathEvent::path)
        .toList();
  }

  @Test
  void theLastGoodPathFailsAndADeniedOneTakesOver() {
    Pair pair = pair(1);
    for (int path = 0; path < 3; path++) {
      say(new Mark(new PathSet.Path(path), State.DENY));
    }
    rig.wire(3, Rig.Wire.BROKEN);
    send(pair, 4 << 20);
    assertThat(weights(pair)[2]).isEqualTo(1);
  }

  @Test
  void aControllerThatNobodyHearsFromIsAskedAgainAndAgain() {
    Pair pair = pair(1);
    rig.fabric.runFor(Duration.ofSeconds(20));
    assertThat(board.asked).isBetween(5, 20);
    assertThat(board.asked - board.cancelled).isBetween(0, 1);
    assertThat(has(pair, EQUAL)).isTrue();
    rig.all(pair.client.close(), LONG);
    rig.fabric.runFor(SECOND);
    int asked = board.asked;
    assertThat(board.cancelled).isEqualTo(asked);
    rig.fabric.runFor(LONG);
    assertThat(board.asked).isEqualTo(asked);
  }

  /** The example of docs/controller.md. */
  private static PathController draining(PathSet paths, BooleanSupplier drained) {
    return reports ->
        reports.map(
            report ->
                report.paths().stream().anyMatch(paths::contains)
                    ? new Mark(paths, drained.getAsBoolean() ? State.DENY : State.GOOD)
                    : new PathDirective.Heartbeat());
  }

  @Test
  void whatAnOperatorDrainsIsOutOfUseUntilHeSaysOtherwise() {
    PathSet second =
        new PathSet.Pair(
            InetAddress.ofLiteral(SimRig.CLIENT + 2), InetAddress.ofLiteral(SimRig.SERVER + 2));
    boolean[] drained = {true};
    Pair pair = pair(1, draining(second, () -> drained[0]));
    double third = 1.0 / 3;
    rig.until(() -> has(pair, new double[] {third, 0, third, third}), SECOND);
    rig.fabric.runFor(LONG);
    assertThat(has(pair, new double[] {third, 0, third, third})).isTrue();
    drained[0] = false;
    rig.until(() -> has(pair, EQUAL), SECOND);
    assertThat(steered()).doesNotContain(false);
  }

  @Test
  void theStrategyNeedsAController() {
    Assertions.assertThatExceptionOfType(MaestroException.Unsupported.class)
        .isThrownBy(() -> rig.endpoint(b -> b.balancer("controller-driven")))
        .withMessageContaining("needs a controller");
  }
}
