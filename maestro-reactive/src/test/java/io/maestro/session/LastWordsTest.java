package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Message;
import io.maestro.api.Region;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What was on its way when a path or a connection came to its end. */
class LastWordsTest {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final SimRig rig = new SimRig(1);
  private final Pair pair = new Pair(rig, b -> FailoverContract.quick(b).loops(1).paths(1));

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void messagesThatWaitForABusyProcessAreTakenThoughTheirPathHasBroken() {
    AtomicInteger got = new AtomicInteger();
    pair.server
        .receive()
        .subscribe(
            message -> {
              got.incrementAndGet();
              message.close();
            });
    rig.fabric.runFor(Duration.ofMillis(50));
    freeze(true);
    AtomicInteger sent = new AtomicInteger();
    for (int i = 0; i < 5; i++) {
      Region region = Pair.random(100, i);
      pair.client
          .send(region)
          .doFinally(signal -> region.release())
          .subscribe(null, null, sent::incrementAndGet);
    }
    rig.fabric.runFor(Duration.ofMillis(30));
    rig.fabric.breakConnections(
        InetAddress.ofLiteral(SimRig.CLIENT + 1), InetAddress.ofLiteral(SimRig.SERVER + 1));
    freeze(false);
    rig.fabric.runFor(Duration.ofNanos(20_000));
    assertThat(got).hasValue(5);
    assertThat(rig.fabric.thrown()).isEmpty();
    rig.until(() -> sent.get() == 5, SOON);
    assertThat(got).as("what is repeated is taken once").hasValue(5);
  }

  private void freeze(boolean on) {
    pair.serverEnd.device().loops().forEach(loop -> rig.fabric.setFrozen(loop, on));
  }

  @Test
  void whoReceivesAfterTheEndIsToldOfItAsOftenAsHeAsks() {
    AtomicBoolean first = new AtomicBoolean();
    pair.server.receive().subscribe(Message::close, failure -> {}, () -> first.set(true));
    rig.one(pair.client.close());
    rig.until(first::get, SOON);
    for (int again = 0; again < 2; again++) {
      assertThat(rig.all(pair.server.receive(), SOON)).isEmpty();
    }
  }
}
