package io.maestro.session;

import io.maestro.verbs.sim.SimFabric;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Hooks;

/**
 * Runs two real endpoints through a scenario on a simulated fabric in virtual time, and looks
 * whether everything holds that must.
 */
final class ScenarioRun implements AutoCloseable {
  private static final Duration PACE = Duration.ofMillis(5);
  private static final Duration RECOVERY = Duration.ofSeconds(60);
  private static final int LAST_MESSAGE = 1_000_000;

  /** Each thread runs one at a time. */
  private static final ThreadLocal<Ledger> CURRENT = new ThreadLocal<>();

  private final Scenario scenario;
  private final World world;
  private final Arena arena = Arena.ofShared();
  private final SimRig rig;
  private final Ledger ledger;
  private final Pair pair;
  private final Map<Side, ScenarioPeer> peers = new EnumMap<>(Side.class);
  private boolean closing;

  /** How a run went: what was violated, and a number that two equal runs have in common. */
  record Verdict(List<String> violations, long digest) {}

  static Verdict of(Scenario scenario) {
    Hooks.onErrorDropped(failure -> dropped(CURRENT.get(), failure));
    try (ScenarioRun run = new ScenarioRun(scenario)) {
      run.play();
      return run.verdict();
    }
  }

  private static void dropped(@Nullable Ledger ledger, Throwable failure) {
    if (ledger == null) {
      LoggerFactory.getLogger(ScenarioRun.class).error("an error was dropped", failure);
    } else {
      ledger.violation("nobody was told of " + failure);
    }
  }

  private ScenarioRun(Scenario scenario) {
    this.scenario = scenario;
    this.world = scenario.world();
    rig = new SimRig(world.link(), world.fabric(scenario.seed()), world.paths());
    ledger = new Ledger(rig.fabric, world);
    CURRENT.set(ledger);
    if (world.deferred()) {
      rig.deferring();
    }
    if (world.lossy()) {
      rig.wrapping(LossyDevice::new);
    }
    pair = new Pair(rig, world::settings);
    peers.put(Side.CLIENT, new ScenarioPeer(Side.CLIENT, pair.clientEnd, pair.client, this));
    peers.put(Side.SERVER, new ScenarioPeer(Side.SERVER, pair.serverEnd, pair.server, this));
  }

  World world() {
    return world;
  }

  SimFabric fabric() {
    return rig.fabric;
  }

  Ledger ledger() {
    return ledger;
  }

  Arena arena() {
    return arena;
  }

  private ScenarioPeer peer(Side side) {
    return peers.get(side);
  }

  private Stream<ScenarioPeer> living() {
    return peers.values().stream().filter(peer -> !peer.isDead());
  }

  // ---- the traffic

  private void play() {
    long startNs = rig.fabric.nanoTime();
    for (Step step : scenario.steps()) {
      long waitNs = startNs + step.at().toNanos() - rig.fabric.nanoTime();
      rig.fabric.runFor(Duration.ofNanos(Math.max(0, waitNs)));
      perform(step.deed());
      living().forEach(ScenarioPeer::observe);
    }
    heal();
    settle();
    List<Side> ended =
        peers.values().stream().filter(p -> p.hasEnded() || p.isDead()).map(p -> p.side).toList();
    if (ended.isEmpty()) {
      sayLastWords();
    }
    finish(ended);
  }

  private void perform(Deed deed) {
    switch (deed) {
      case Deed.Send d -> {
        if (!peer(d.from()).isDead()) {
          ledger.send(peer(d.from()).connection, d);
        }
      }
      case Deed.Cancel d -> ledger.cancel(d.from(), d.number());
      case Deed.Resubscribe d -> peer(d.at()).resubscribe(d.pause());
      case Deed.Access d -> access(d);
      case Deed.Revoke d -> peer(d.of()).memory.revoke();
      case Deed.Close d -> close(d.who());
      case Deed.Change d -> rig.link(d.path(), d.link());
      case Deed.Swallow d -> swallow(d);
      case Deed.Cable d -> rig.fabric.setUp(client(d.path()), server(d.path()), d.plugged());
      case Deed.Reset d -> rig.fabric.breakConnections(client(d.path()), server(d.path()));
      case Deed.Fail d -> Faults.losePath(peer(d.at()).connection, d.path());
      case Deed.Freeze d -> {
        if (!peer(d.at()).isDead()) {
          peer(d.at()).freeze(d.loop(), d.on());
        }
      }
      case Deed.Kill d -> kill(peer(d.who()));
      case Deed.Vanish d -> vanish(peer(d.who()));
    }
  }

  private void access(Deed.Access access) {
    ScenarioPeer from = peer(access.from());
    if (!from.isDead()) {
      peer(access.from().other()).memory.access(from.connection, access);
    }
  }

  private void close(Side who) {
    closing = true;
    peer(who).connection.close().subscribe();
  }

  private void swallow(Deed.Swallow deed) {
    InetAddress from = deed.from() == Side.CLIENT ? client(deed.path()) : server(deed.path());
    InetAddress to = deed.from() == Side.CLIENT ? server(deed.path()) : client(deed.path());
    rig.fabric.setBlackHole(from, to, deed.on());
  }

  /** The system of a killed process resets its connections and closes its ports. */
  private void kill(ScenarioPeer who) {
    if (!who.isDead()) {
      who.dies();
      who.freezeAll(true);
      if (who.side == Side.SERVER) {
        pair.binding.close().subscribe();
      }
      for (int path = 0; path < world.paths(); path++) {
        rig.fabric.breakConnections(client(path), server(path));
      }
    }
  }

  private void vanish(ScenarioPeer who) {
    who.dies();
    who.freezeAll(true);
    for (int path = 0; path < world.paths(); path++) {
      rig.blackHole(path, true);
    }
  }

  private static InetAddress client(int path) {
    return InetAddress.ofLiteral(SimRig.CLIENT + (path + 1));
  }

  private static InetAddress server(int path) {
    return InetAddress.ofLiteral(SimRig.SERVER + (path + 1));
  }

  // ---- afterwards

  /** Everything that can be is as it was. */
  private void heal() {
    boolean vanished = peers.values().stream().anyMatch(ScenarioPeer::isDead);
    for (int path = 0; path < world.paths(); path++) {
      rig.fabric.setUp(client(path), server(path), true);
      rig.link(path, world.link());
      rig.blackHole(path, vanished);
    }
    living().forEach(peer -> peer.freezeAll(false));
  }

  /** Waits until all has come right again, or the connection has ended for both. */
  private void settle() {
    boolean mustEnd = closing || peers.values().stream().anyMatch(ScenarioPeer::isDead);
    if (mustEnd) {
      await(() -> living().allMatch(ScenarioPeer::hasEnded), world.patience(), "it has ended");
    } else {
      await(this::isSettled, RECOVERY, "all is delivered and all paths are back");
    }
    boolean mayHaveEnded = mustEnd || !world.gentle();
    living()
        .forEach(
            peer ->
                ledger.require(
                    mayHaveEnded || !peer.hasEnded(),
                    "the connection ended without a reason: " + peer));
  }

  private boolean isSettled() {
    if (living().allMatch(ScenarioPeer::hasEnded)) {
      return true;
    }
    return ledger.open() == 0
        && living().allMatch(peer -> !peer.hasEnded() && peer.isQuiet() && peer.allPathsUp());
  }

  /** A connection that has outlived all this works. */
  private void sayLastWords() {
    rig.fabric.runFor(world.keepAlive());
    for (Side side : Side.values()) {
      peer(side).checkCredits();
      long bytes = Math.min(100_000, world.budgetBytes());
      perform(new Deed.Send(side, LAST_MESSAGE, bytes, 0, Duration.ofMinutes(1)));
    }
    await(this::isSettled, RECOVERY, "the last messages arrive");
  }

  private void finish(List<Side> ended) {
    closing = true;
    for (int path = 0; path < world.paths(); path++) {
      rig.blackHole(path, false);
    }
    peers.values().forEach(peer -> peer.freezeAll(false));
    pair.client.close().subscribe();
    pair.server.close().subscribe();
    await(
        () -> peers.values().stream().allMatch(p -> p.hasEnded() && p.isQuiet()),
        world.patience(),
        "the connection is closed at both sides");
    rig.fabric.runFor(PACE);
    ledger.judge(ended);
    for (ScenarioPeer peer : peers.values()) {
      peer.memory.judge(ended.contains(peer.side.other()));
      peer.judge();
    }
    rig.fabric.thrown().forEach(failure -> ledger.violation("something threw: " + failure));
  }

  private void await(BooleanSupplier condition, Duration limit, String what) {
    long endNs = rig.fabric.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (rig.fabric.nanoTime() >= endNs) {
        ledger.violation(
            "%s: not within %s; %d sends are open; %s"
                .formatted(what, limit, ledger.open(), peers.values()));
        return;
      }
      rig.fabric.runFor(PACE);
    }
  }

  private Verdict verdict() {
    return new Verdict(
        List.copyOf(ledger.violations()), rig.fabric.traceHash() * 31 + ledger.digest());
  }

  @Override
  public void close() {
    rig.close();
    arena.close();
    CURRENT.remove();
  }
}
