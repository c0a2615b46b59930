package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.MaestroObserver;
import io.maestro.api.Message;
import io.maestro.api.Region;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.util.context.ContextView;

/** What an observer is told, in virtual time. */
class ObserverTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int LARGE = 1 << 20;

  private final SimRig rig = new SimRig(11);
  private final Diary diary = new Diary();

  /** Writes down what it is told. */
  private static final class Diary implements MaestroObserver {
    private final List<String> entries = new ArrayList<>();
    private final List<Connection> opened = new ArrayList<>();
    private final List<Connection> closed = new ArrayList<>();

    @Override
    public void connectionOpened(Connection connection) {
      opened.add(connection);
    }

    @Override
    public void connectionClosed(Connection connection, @Nullable Throwable failure) {
      closed.add(connection);
    }

    @Override
    public Finish sendStarted(Connection connection, long bytes, ContextView context) {
      return entry("sent " + bytes + context.getOrDefault("trace", ""));
    }

    @Override
    public Finish receiveStarted(Connection connection, long bytes) {
      return entry("received " + bytes);
    }

    private Finish entry(String what) {
      return (outcome, failure) -> {
        String cause = failure == null ? "" : " " + failure.getClass().getSimpleName();
        entries.add("%s %s%s".formatted(what, outcome, cause));
      };
    }
  }

  /** Fails whatever it is told. */
  private static final class Saboteur implements MaestroObserver {
    private int calls;

    private RuntimeException failure() {
      calls++;
      return new IllegalStateException("sabotage");
    }

    @Override
    public void connectionOpened(Connection connection) {
      throw failure();
    }

    @Override
    public void connectionClosed(Connection connection, @Nullable Throwable failure) {
      throw failure();
    }

    @Override
    public Finish sendStarted(Connection connection, long bytes, ContextView context) {
      throw failure();
    }

    @Override
    public Finish receiveStarted(Connection connection, long bytes) {
      return (outcome, failure) -> {
        throw failure();
      };
    }
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void send(Connection from, Region region) {
    rig.one(from.send(region).contextWrite(context -> context.put("trace", " traced")));
  }

  @Test
  void eachMessageIsReportedOnceOnEachSide() {
    Pair pair = Pair.observed(rig, diary);
    pair.server.receive().subscribe(Message::close);
    send(pair.client, Pair.random(100, 1));
    send(pair.client, Pair.random(LARGE, 2));
    assertThat(diary.entries)
        .containsExactlyInAnyOrder(
            "sent 100 traced DONE",
            "received 100 DONE",
            "sent " + LARGE + " traced DONE",
            "received " + LARGE + " DONE");
  }

  @Test
  void aSendThatIsCancelledBeforeItIsWantedEndsAsCancelled() {
    Pair pair = Pair.observed(rig, diary);
    Disposable send = pair.client.send(Pair.random(LARGE, 3)).subscribe();
    send.dispose();
    rig.until(() -> !diary.entries.isEmpty(), MINUTE);
    assertThat(diary.entries).containsExactly("sent " + LARGE + " CANCELLED");
  }

  @Test
  void aReceiverThatCancelsEndsTheMessageAsCancelledOnBothSides() {
    Pair pair = Pair.observed(rig, diary);
    Disposable receiving = pair.server.receive().subscribe(Message::close);
    Region region = Pair.random(16L * LARGE, 4);
    List<Throwable> failures = new ArrayList<>();
    pair.client.send(region).subscribe(done -> {}, failures::add);
    rig.until(() -> pair.serverEnd.leasedBytes() > 0, MINUTE);
    receiving.dispose();
    rig.until(() -> diary.entries.size() == 2, MINUTE);
    assertThat(failures).hasOnlyElementsOfType(MaestroException.ReceiverCancelled.class);
    assertThat(diary.entries).allMatch(entry -> entry.contains("CANCELLED"));
  }

  @Test
  void connectionsAreKnownFromTheirOpeningToTheirEnd() {
    Pair pair = Pair.observed(rig, diary);
    assertThat(diary.opened).containsExactlyInAnyOrder(pair.client, pair.server);
    assertThat(pair.clientEnd.connections()).containsExactly(pair.client);
    assertThat(pair.serverEnd.connections()).containsExactly(pair.server);
    rig.one(pair.client.close());
    rig.until(() -> diary.closed.size() == 2, MINUTE);
    assertThat(diary.closed).containsExactlyInAnyOrder(pair.client, pair.server);
    assertThat(pair.clientEnd.connections()).isEmpty();
    assertThat(pair.serverEnd.connections()).isEmpty();
  }

  @Test
  void whatIsUnderWayWhenAConnectionEndsHasFailed() {
    Pair pair = Pair.observed(rig, diary);
    List<Throwable> failures = new ArrayList<>();
    pair.client.send(Pair.random(LARGE, 5)).subscribe(done -> {}, failures::add);
    pair.serverEnd.close();
    rig.until(() -> !failures.isEmpty(), MINUTE);
    assertThat(diary.entries).hasSize(1).allMatch(entry -> entry.contains(" FAILED "));
  }

  @Test
  void anObserverThatFailsChangesNothing() {
    Saboteur saboteur = new Saboteur();
    Pair pair = Pair.observed(rig, saboteur);
    List<Long> sizes = new ArrayList<>();
    pair.server
        .receive()
        .subscribe(
            message -> {
              sizes.add(message.size());
              message.close();
            });
    send(pair.client, Pair.random(100, 6));
    send(pair.client, Pair.random(LARGE, 7));
    assertThat(sizes).containsExactly(100L, (long) LARGE);
    assertThat(saboteur.calls).isGreaterThan(4);
    pair.assertNothingLeased();
    rig.one(pair.client.close());
  }

  @Test
  void anObserverThatFailsDoesNotKeepOthersFromHearing() {
    MaestroObserver both = ObserverChain.of(List.of(new Saboteur(), diary, new Saboteur()));
    Pair pair = Pair.observed(rig, both);
    pair.server.receive().subscribe(Message::close);
    send(pair.client, Pair.random(100, 9));
    assertThat(diary.opened).hasSize(2);
    assertThat(diary.entries)
        .containsExactlyInAnyOrder("sent 100 traced DONE", "received 100 DONE");
  }

  @Test
  void theOutcomeOfARefusedMessageSaysWhy() {
    Pair pair = Pair.observed(rig, diary, b -> b.memoryBudgetBytes(LARGE / 2));
    pair.server.receive().subscribe(Message::close);
    assertThatThrownBy(() -> send(pair.client, Pair.random(LARGE, 8)))
        .isInstanceOf(MaestroException.TooLarge.class);
    assertThat(diary.entries)
        .containsExactlyInAnyOrder(
            "sent " + LARGE + " traced FAILED TooLarge", "received " + LARGE + " FAILED TooLarge");
  }
}
