package io.maestro.trainer.sync;

import static io.maestro.trainer.sync.Vectors.valuesOf;
import static io.maestro.trainer.sync.Vectors.vector;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class ParameterBoardTest {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ParameterBoard strict = board(false);
  private final ParameterBoard elastic = board(true);

  @Test
  void nobodyStartsBeforeAllHaveJoined() {
    Mono<Void> first = strict.join(0);
    StepVerifier.create(first)
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(20))
        .thenCancel()
        .verify(PATIENCE);

    Mono<Void> second = strict.join(1);

    StepVerifier.create(first).expectComplete().verify(PATIENCE);
    StepVerifier.create(second).expectComplete().verify(PATIENCE);
  }

  @Test
  void aRoundEndsWhenTheLastGradientIsIn() {
    joinBoth(strict);

    Mono<Void> first = strict.push(0, 0, vector(1));
    assertThat(valuesOf(strict.parameters())).containsExactly(0);
    Mono<Void> second = strict.push(1, 0, vector(3));

    StepVerifier.create(Mono.when(first, second)).expectComplete().verify(PATIENCE);
    assertThat(valuesOf(strict.parameters())).containsExactly(-2);
  }

  @Test
  void aWorkerThatSkipsAStepIsToldSo() {
    joinBoth(strict);

    StepVerifier.create(strict.push(0, 5, vector(1)))
        .expectErrorMessage("worker 0 is at step 5, the server at step 0")
        .verify(PATIENCE);
  }

  @Test
  void theLossOfAWorkerEndsTheWaitOfTheOthersWithItsName() {
    joinBoth(strict);
    Mono<Void> waiting = strict.push(0, 0, vector(1));

    strict.leave(1, killed());

    String message = "worker 1 is gone after 0 steps: the connection was closed";
    StepVerifier.create(waiting).expectErrorMessage(message).verify(PATIENCE);
    StepVerifier.create(strict.push(0, 0, vector(1))).expectErrorMessage(message).verify(PATIENCE);
    strict.leave(0, null);
    StepVerifier.create(strict.finished()).expectErrorMessage(message).verify(PATIENCE);
  }

  @Test
  void theLossOfAWorkerBeforeTheStartEndsTheRunToo() {
    Mono<Void> waiting = strict.join(0);
    strict.join(1).subscribe();
    strict.leave(1, killed());

    StepVerifier.create(strict.push(0, 0, vector(1)))
        .expectErrorMessage("worker 1 is gone after 0 steps: the connection was closed")
        .verify(PATIENCE);
    StepVerifier.create(waiting).expectComplete().verify(PATIENCE);
  }

  @Test
  void anElasticRunGoesOnWithTheOthers() {
    joinBoth(elastic);
    Mono<Void> waiting = elastic.push(0, 0, vector(4));

    elastic.leave(1, killed());

    StepVerifier.create(waiting).expectComplete().verify(PATIENCE);
    assertThat(valuesOf(elastic.parameters())).containsExactly(-4);
    StepVerifier.create(elastic.push(0, 1, vector(1))).expectComplete().verify(PATIENCE);
  }

  @Test
  void anElasticRunWithoutWorkersHasFailed() {
    joinBoth(elastic);

    elastic.leave(1, killed());
    elastic.leave(0, killed());

    StepVerifier.create(elastic.finished())
        .expectErrorMessage("worker 0 is gone after 0 steps: the connection was closed")
        .verify(PATIENCE);
  }

  @Test
  void aRunIsOverWhenAllHaveLeftInOrder() {
    joinBoth(strict);

    strict.leave(0, null);
    StepVerifier.create(strict.finished())
        .expectSubscription()
        .expectNoEvent(Duration.ofMillis(20))
        .thenCancel()
        .verify(PATIENCE);
    strict.leave(1, null);

    StepVerifier.create(strict.finished()).expectComplete().verify(PATIENCE);
  }

  @Test
  void anEarlyLeaveInOrderEndsTheNextStepOfTheOthers() {
    joinBoth(strict);

    strict.leave(1, null);

    StepVerifier.create(strict.push(0, 0, vector(1)))
        .expectErrorMessage("worker 1 is gone after 0 steps: it ended early")
        .verify(PATIENCE);
  }

  @Test
  void aRankIsTakenOnce() {
    strict.join(1).subscribe();

    StepVerifier.create(strict.join(1))
        .expectErrorMessage("there are two workers with rank 1")
        .verify(PATIENCE);
  }

  @Test
  void aWorkerThatComesAfterTheStartIsTurnedAway() {
    joinBoth(elastic);
    elastic.leave(1, killed());

    StepVerifier.create(elastic.join(1))
        .expectErrorMessage("worker 1 comes too late: the run has started")
        .verify(PATIENCE);
  }

  private static SyncException killed() {
    return new SyncException("the connection was closed", null);
  }

  private static ParameterBoard board(boolean elastic) {
    return new ParameterBoard(vector(0), new Sgd(1, 0, 1), 2, elastic);
  }

  private static void joinBoth(ParameterBoard board) {
    StepVerifier.create(Mono.when(board.join(0), board.join(1))).expectComplete().verify(PATIENCE);
  }
}
