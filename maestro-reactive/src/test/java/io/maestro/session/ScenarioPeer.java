package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.PathEvent;
import io.maestro.api.PathReport;
import io.maestro.verbs.sim.SimFabric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One side of a simulated run: its connection, its receivers, and how it ended. */
final class ScenarioPeer {
  /** Reasons of a path's loss that are faults of the session itself. */
  private static final Pattern OUR_FAULT =
      Pattern.compile(
          "malformed|broke the protocol|\\bring\\b|returned credit|acknowledged chunk|its handler|is"
              + " full|queue has no room|has no number|announced outside|no place|Already closed");

  final Side side;
  final Endpoint endpoint;
  final Connection connection;
  final SharedMemory memory;
  private final World world;
  private final SimFabric fabric;
  private final Ledger ledger;
  private final List<Inbox> inboxes = new ArrayList<>();
  private final Map<Integer, Long> frozenSinceNs = new HashMap<>();
  private boolean ended;
  private boolean dead;
  private int away;
  private @Nullable Throwable failure;

  ScenarioPeer(Side side, Endpoint endpoint, Connection connection, ScenarioRun run) {
    this.side = side;
    this.endpoint = endpoint;
    this.connection = connection;
    this.world = run.world();
    this.fabric = run.fabric();
    this.ledger = run.ledger();
    memory = new SharedMemory(side, connection, ledger, run.arena());
    connection.onClose().subscribe(null, this::ended, () -> ended(null));
    connection.pathEvents().subscribe(this::onPathEvent);
    subscribe();
  }

  private void ended(@Nullable Throwable why) {
    ended = true;
    failure = why;
  }

  private void onPathEvent(PathEvent event) {
    if (event instanceof PathEvent.Down down && isOurFault(down.cause())) {
      ledger.violation("the " + side + " lost a path by its own fault: " + down.cause());
    }
  }

  /** What arrives after a message is over, or on memory that is not exported, was sent wrongly. */
  private boolean isOurFault(String cause) {
    return OUR_FAULT.matcher(cause).find() || (!ledger.anyRevoked() && cause.contains("refused:"));
  }

  private void subscribe() {
    Inbox inbox = new Inbox(side, ledger, fabric.scheduler(), world.demand());
    inboxes.add(inbox);
    connection.receive().subscribe(inbox);
  }

  Session session() {
    return ((SessionConnection) connection).session();
  }

  boolean hasEnded() {
    return ended;
  }

  @Nullable Throwable failure() {
    return failure;
  }

  /** Its process or its machine is gone; nothing is expected of it any more. */
  void dies() {
    dead = true;
  }

  boolean isDead() {
    return dead;
  }

  void resubscribe(Duration pause) {
    ledger.cancelledReceiving(side);
    inboxes.getLast().cancel();
    if (pause.isZero()) {
      subscribe();
    } else {
      away++;
      fabric.scheduler().schedule(this::comeBack, pause.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void comeBack() {
    away--;
    ledger.cancelledReceiving(side);
    if (inboxes.getLast().isOver()) {
      subscribe();
    }
  }

  void freeze(int loop, boolean on) {
    if (on) {
      frozenSinceNs.putIfAbsent(loop, fabric.nanoTime());
    } else {
      Long sinceNs = frozenSinceNs.remove(loop);
      ledger.frozen(side, sinceNs == null ? 0 : fabric.nanoTime() - sinceNs);
    }
    fabric.setFrozen(endpoint.device().loops().get(loop), on);
  }

  void freezeAll(boolean on) {
    for (int loop = 0; loop < world.loops(); loop++) {
      freeze(loop, on);
    }
  }

  int held() {
    return inboxes.stream().mapToInt(Inbox::held).sum();
  }

  /** Nothing is under way and nothing is held. */
  boolean isQuiet() {
    return held() == 0
        && away == 0
        && memory.open() == 0
        && endpoint.leasedBytes() == 0
        && session().slots().used() == 0
        && session().fanOut().idle()
        && session().fanOut().descriptorsInUse() == 0;
  }

  boolean allPathsUp() {
    return Faults.allUp(connection);
  }

  /** What holds at any time. */
  void observe() {
    if (ended || dead) {
      return;
    }
    double weights = connection.paths().stream().mapToDouble(PathReport::weight).sum();
    ledger.require(weights == 0 || Math.abs(weights - 1) < 1e-9, "the weights sum to " + weights);
    long held = inboxes.stream().mapToLong(Inbox::heldBytes).sum();
    long most = world.budgetBytes() + held + (long) world.maxMessages() * world.eagerBytes();
    ledger.require(
        endpoint.leasedBytes() <= most,
        "%d bytes are leased, %d are allowed".formatted(endpoint.leasedBytes(), most));
  }

  /** What holds while nothing is under way: all credits are with the peer. */
  void checkCredits() {
    int most = world.maxMessages();
    int open = world.demand() == 0 ? most : Math.min(world.demand(), most);
    // fewer than a quarter of all are worth no message while there are others
    int least = Math.max(1, open - Math.max(1, most / 4) + 1);
    long credits = connection.credits();
    ledger.require(
        credits >= least && credits <= most,
        "the %s has %d credits of %d to %d".formatted(side, credits, least, most));
  }

  /** What holds when all is over. */
  void judge() {
    ledger.require(isQuiet(), "the " + side + " has not given back everything: " + this);
    ledger.require(
        inboxes.stream().allMatch(Inbox::isOver), "a receiver at the " + side + " never ended");
  }

  @Override
  public String toString() {
    return "%s[ended=%s (%s), held=%d, leased=%d, slots=%d, descriptors=%d]"
        .formatted(
            side,
            ended,
            failure,
            held(),
            endpoint.leasedBytes(),
            session().slots().used(),
            session().fanOut().descriptorsInUse());
  }
}
