package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.EventLoop;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Control messages over paths that rest or are lost; these paths never send what they are given.
 */
class ControlPlaneTest {
  private static final Control PLACE = new Control.Cts(1, 2, 3, 4);
  private static final Control SMALL =
      new Control.Eager(1, new byte[0], MemorySegment.ofArray(new byte[10]), null);

  private final SimRig rig = new SimRig(1);
  private final PathTable paths = new PathTable(8);
  private final ControlPlane controls = new ControlPlane(paths);
  private final List<Path> all = new ArrayList<>();
  private int confirmations;

  @BeforeEach
  void open() {
    Pair pair = new Pair(rig, ConnectionContract.DEFAULTS);
    Session session = ((SessionConnection) pair.client).session();
    EventLoop loop = pair.clientEnd.device().loops().getFirst();
    for (int id = 0; id < 2; id++) {
      PathOptions options =
          new PathOptions(id, 0, session.context().domain(), 8, 1024, 1_000_000, 1_000_000_000);
      Path path = new Path(options, session, loop);
      all.add(path);
      paths.add(path);
      paths.up(path);
    }
  }

  @AfterEach
  void close() {
    rig.close();
  }

  private void send(Control control) {
    controls.send(control, () -> confirmations++);
    controls.run();
  }

  private void rest(int path) {
    paths.suspend(path, true);
    controls.hedge(all.get(path));
    controls.run();
  }

  private List<Envelope> given(int path) {
    List<Envelope> given = new ArrayList<>();
    all.get(path).drainControls(given::add);
    return given;
  }

  @Test
  void whatARestingPathHoldsGoesOverAnotherTooAndIsConfirmedOnce() {
    send(PLACE);
    rest(0);
    Envelope original = given(0).getFirst();
    Envelope copy = given(1).getFirst();
    assertThat(copy).isEqualTo(original);
    controls.confirmed(all.get(1), copy);
    assertThat(confirmations).isEqualTo(1);
    controls.confirmed(all.get(0), original);
    assertThat(confirmations).isEqualTo(1);
    assertThat(controls.idle()).isTrue();
  }

  @Test
  void thePeerTakesEachNumberOnceInAnyOrder() {
    assertThat(controls.accept(2)).isTrue();
    assertThat(controls.accept(1)).isTrue();
    assertThat(controls.accept(2)).isFalse();
    assertThat(controls.accept(1)).isFalse();
    assertThat(controls.accept(3)).isTrue();
  }

  @Test
  void smallMessagesAreNotSentTwiceAsTheirMemoryGoesWithTheFirstAnswer() {
    send(SMALL);
    rest(0);
    assertThat(given(1)).isEmpty();
    assertThat(given(0)).hasSize(1);
  }

  @Test
  void ofALostPathOnlyWhatNoOtherHasDeliveredIsSentAgain() {
    send(PLACE);
    rest(0);
    controls.confirmed(all.get(1), given(1).getFirst());
    paths.suspend(0, false);
    paths.suspend(1, true);
    send(SMALL); // on path 0, behind the first
    paths.suspend(1, false);
    paths.down(all.get(0));
    controls.lost(all.get(0));
    controls.run();
    assertThat(given(1)).extracting(Envelope::control).containsExactly(SMALL);
  }

  @Test
  void aPathThatRestsAgainRepeatsNothingThatIsConfirmed() {
    send(PLACE);
    rest(0);
    controls.confirmed(all.get(1), given(1).getFirst());
    paths.suspend(0, false);
    rest(0);
    assertThat(given(1)).isEmpty();
  }
}
