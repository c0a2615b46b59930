package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Message;
import io.maestro.verbs.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;

/** Figures that reports have for metrics. */
class ReportedFiguresTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static Signals marks(long count) {
    return new Signals(100, count, 0, 1, 1);
  }

  @Test
  void marksAreCountedThroughAllGenerationsOfAPath() {
    PathProgress first = new PathProgress();
    assertThat(first.marks()).isEqualTo(Signals.ABSENT);
    first.network(marks(5));
    PathProgress second = new PathProgress();
    second.continueFrom(first);
    assertThat(second.marks()).isEqualTo(5);
    second.network(marks(2));
    assertThat(second.marks()).isEqualTo(7);
  }

  @Test
  void marksThatNobodyKnowsAreNotZero() {
    PathProgress first = new PathProgress();
    PathProgress second = new PathProgress();
    second.continueFrom(first);
    assertThat(second.marks()).isEqualTo(Signals.ABSENT);
    second.network(marks(0));
    assertThat(second.marks()).isZero();
  }

  @Test
  void creditsAreWhatTheReceiverHasAskedForAndNotBeenSent() {
    try (SimRig rig = new SimRig(3)) {
      Pair pair = new Pair(rig, ConnectionContract.DEFAULTS);
      assertThat(pair.client.credits()).isZero();
      List<Message> held = new ArrayList<>();
      pair.server
          .receive()
          .subscribe(
              new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {
                  subscription.request(3);
                }

                @Override
                protected void hookOnNext(Message message) {
                  held.add(message);
                }
              });
      rig.until(() -> pair.client.credits() == 3, MINUTE);
      rig.one(pair.client.send(Pair.random(1 << 20, 1)));
      rig.until(() -> held.size() == 1, MINUTE);
      assertThat(pair.client.credits()).isEqualTo(2);
      held.forEach(Message::close);
    }
  }
}
