package io.maestro.session;

import io.maestro.verbs.sim.LinkOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A world and what happens in it; all follows from the seed. */
record Scenario(long seed, World world, List<Step> steps) {

  static Scenario of(long seed) {
    Dice dice = new Dice(seed);
    World world = World.of(dice);
    return new Scenario(seed, world, new Writer(dice, world).write());
  }

  Scenario with(List<Step> fewer) {
    return new Scenario(seed, world, fewer);
  }

  String story() {
    return world + "\n" + steps.stream().map(Step::toString).collect(Collectors.joining("\n"));
  }

  /** Makes the steps up. */
  private static final class Writer {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration FREEZE = Duration.ofMillis(60);

    private final Dice dice;
    private final World world;
    private final List<Step> steps = new ArrayList<>();
    private final Duration span;
    private final int[] sent = new int[2];
    private int parts;

    Writer(Dice dice, World world) {
      this.dice = dice;
      this.world = world;
      span = dice.time(Duration.ofMillis(5), Duration.ofSeconds(2));
    }

    List<Step> write() {
      double harm = dice.any(0.1, 0.3, 0.5);
      for (int count = dice.between(5, 50); count > 0; count--) {
        Duration at = dice.time(Duration.ofNanos(1_000), span);
        if (dice.chance(harm)) {
          harm(at);
        } else {
          use(at);
        }
      }
      if (!world.gentle() && dice.chance(0.5)) {
        add(dice.time(SHORT, span), end(dice.any(Side.values())));
      }
      steps.sort(Comparator.comparing(Step::at));
      return List.copyOf(steps);
    }

    private void add(Duration at, Deed deed) {
      steps.add(new Step(at, deed));
    }

    private Deed end(Side who) {
      return dice.any(new Deed.Kill(who), new Deed.Vanish(who), new Deed.Close(who));
    }

    private void use(Duration at) {
      Side side = dice.any(Side.values());
      switch (dice.between(0, 19)) {
        case 0 -> add(at, new Deed.Resubscribe(side, pause()));
        case 1 -> {
          if (dice.chance(0.2)) {
            add(at, new Deed.Revoke(side));
          }
        }
        case 2, 3 -> {
          if (parts < SharedMemory.PARTS) {
            int bytes = (int) dice.spread(1, SharedMemory.PART_BYTES);
            add(at, new Deed.Access(side, dice.chance(0.5), parts++, bytes));
          }
        }
        case 4 -> {
          for (int count = dice.between(20, 50); count > 0; count--) {
            send(at, side, 1 + count);
          }
        }
        default -> send(at, side, size());
      }
    }

    private long size() {
      return dice.chance(0.03) ? dice.any(0L, 5L << 20) : dice.spread(1, 512 << 10);
    }

    private Duration pause() {
      return dice.chance(0.5) ? Duration.ZERO : dice.time(SHORT.dividedBy(100), span);
    }

    private void send(Duration at, Side side, long bytes) {
      int number = sent[side.number()]++;
      Duration timeout =
          dice.chance(0.1) ? dice.time(SHORT, Duration.ofMillis(500)) : Duration.ofMinutes(1);
      add(at, new Deed.Send(side, number, bytes, dice.any(0, 0, 0, 7), timeout));
      if (dice.chance(0.08)) {
        add(at.plus(dice.time(SHORT.dividedBy(100), span)), new Deed.Cancel(side, number));
      }
    }

    /** A path of a gentle world is always good. */
    private void harm(Duration at) {
      int first = world.gentle() ? 1 : 0;
      if (first == world.paths() || dice.chance(0.4)) {
        shock(at);
      } else {
        spoil(at, dice.between(first, world.paths() - 1));
      }
    }

    private void shock(Duration at) {
      Side side = dice.any(Side.values());
      int path = dice.between(0, world.paths() - 1);
      switch (dice.between(0, 3)) {
        case 0 -> add(at, new Deed.Reset(path));
        case 1 -> add(at, new Deed.Fail(side, path));
        default -> {
          int loop = dice.between(0, world.loops() - 1);
          Duration most = world.gentle() ? FREEZE : span.multipliedBy(2);
          add(at, new Deed.Freeze(side, loop, true));
          add(at.plus(dice.time(SHORT.dividedBy(10), most)), new Deed.Freeze(side, loop, false));
        }
      }
    }

    private void spoil(Duration at, int path) {
      Duration until = at.plus(dice.time(SHORT, span));
      Side side = dice.any(Side.values());
      switch (dice.between(0, 5)) {
        case 0 -> between(at, until, new Deed.Cable(path, false), new Deed.Cable(path, true));
        case 1 ->
            between(
                at, until, new Deed.Swallow(path, side, true), new Deed.Swallow(path, side, false));
        case 2 -> {
          for (Side from : Side.values()) {
            between(
                at, until, new Deed.Swallow(path, from, true), new Deed.Swallow(path, from, false));
          }
        }
        case 3 -> {
          for (int all = world.gentle() ? 1 : 0; all < world.paths(); all++) {
            between(at, until, new Deed.Cable(all, false), new Deed.Cable(all, true));
          }
        }
        default ->
            between(at, until, new Deed.Change(path, worse()), new Deed.Change(path, world.link()));
      }
    }

    private LinkOptions worse() {
      return dice.chance(0.5)
          ? world.link().withDelay(dice.time(Duration.ofMillis(1), Duration.ofSeconds(3)))
          : dice.chance(0.5)
              ? world.link().withLoss(dice.any(0.05, 0.3, 0.9))
              : world
                  .link()
                  .withBytesPerSecond(dice.spread(1e4, 1e7))
                  .withQueue(64 << 10, 32 << 10);
    }

    private void between(Duration at, Duration until, Deed begins, Deed ends) {
      add(at, begins);
      if (dice.chance(0.8)) {
        add(until, ends);
      }
    }
  }
}
