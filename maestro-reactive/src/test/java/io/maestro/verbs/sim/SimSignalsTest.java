package io.maestro.verbs.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.verbs.EventLoop;
import io.maestro.verbs.Signals;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a simulated queue pair knows of its wire, and what a stopped process does. */
class SimSignalsTest {
  private static final int BYTES = 1 << 20;

  private static SimFabric.Builder fabric() {
    return SimFabric.builder().seed(1).link("10.0.0.1", "10.0.0.2", LinkOptions.defaults());
  }

  @Test
  void aSilentWireShowsAsPacketsThatNobodyAcknowledges() {
    try (SimPair pair = new SimPair(fabric().build(), BYTES)) {
      pair.writeAll(BYTES, 4);
      assertThat(pair.signals().unackedPackets()).isZero();
      pair.fabric.setBlackHole(SimPair.A, SimPair.B, true);
      pair.onLoop(qp -> pair.write(qp, 1, BYTES));
      pair.fabric.runFor(Duration.ofMillis(40));
      Signals signals = pair.signals();
      assertThat(signals.unackedPackets()).isPositive();
      assertThat(signals.ackAgeNs()).isBetween(40_000_000L, 42_000_000L);
    }
  }

  @Test
  void signalsCanBeAbsent() {
    try (SimPair pair = new SimPair(fabric().signals(false).build(), BYTES)) {
      pair.writeAll(BYTES, 4);
      assertThat(pair.signals()).isEqualTo(Signals.NONE);
    }
  }

  @Test
  void aFrozenLoopTakesNoTurnsAndTakesThemWhenThawed() {
    try (SimPair pair = new SimPair(fabric().build(), BYTES)) {
      EventLoop loop = pair.loop();
      AtomicBoolean ran = new AtomicBoolean();
      pair.fabric.setFrozen(loop, true);
      loop.execute(() -> ran.set(true));
      loop.schedule(1, () -> {});
      pair.fabric.runFor(Duration.ofSeconds(5));
      assertThat(ran).isFalse();
      pair.fabric.setFrozen(loop, false);
      pair.fabric.runFor(Duration.ofMillis(1));
      assertThat(ran).isTrue();
      pair.writeAll(BYTES, 4);
    }
  }

  @Test
  void onlyLoopsOfTheFabricCanBeFrozen() {
    SimFabric fabric = fabric().build();
    EventLoop other =
        new EventLoop() {
          @Override
          public boolean inLoop() {
            return false;
          }

          @Override
          public void execute(Runnable task) {}

          @Override
          public Timer schedule(long delayNs, Runnable task) {
            return () -> {};
          }

          @Override
          public long nanoTime() {
            return 0;
          }
        };
    assertThatThrownBy(() -> fabric.setFrozen(other, true))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
