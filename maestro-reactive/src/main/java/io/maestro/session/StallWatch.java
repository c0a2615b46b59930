package io.maestro.session;

import io.maestro.verbs.EventLoop;
import java.util.function.Consumer;

/**
 * Has the paths of a session look whether they make progress, as long as any has work under way,
 * and knows which did. Session's loop only.
 */
final class StallWatch {
  private final PathTable paths;
  private final EventLoop loop;
  private final long lookNs;
  private final Consumer<Path> onMoved;
  private final Runnable look = this::look;
  private final long[] signs = new long[SessionParameters.MAX_PATHS];
  private final long[] movedNs = new long[SessionParameters.MAX_PATHS];
  private boolean looking;
  private boolean ended;

  /**
   * @param onMoved told of each path that has made progress since the last look
   */
  StallWatch(PathTable paths, EventLoop loop, long lookNs, Consumer<Path> onMoved) {
    this.paths = paths;
    this.loop = loop;
    this.lookNs = lookNs;
    this.onMoved = onMoved;
  }

  /** The path is a new one. */
  void added(Path path) {
    signs[path.id()] = 0;
  }

  /** There may be work under way. */
  void busy() {
    if (!looking && !ended) {
      looking = true;
      loop.schedule(lookNs, look);
    }
  }

  private void look() {
    looking = false;
    boolean underWay = false;
    for (int id = 0; id < SessionParameters.MAX_PATHS; id++) {
      Path path = paths.get(id);
      if (path != null && !ended) {
        underWay |= look(path);
      }
    }
    if (underWay) {
      busy();
    }
  }

  private boolean look(Path path) {
    int id = path.id();
    PathProgress.Look last = path.progress().look();
    if (last.signs() != signs[id]) {
      signs[id] = last.signs();
      movedNs[id] = loop.nanoTime();
      onMoved.accept(path);
    }
    boolean underWay = paths.isBusy(id) || last.underWay() > 0;
    if (underWay) {
      path.look();
    }
    return underWay;
  }

  /** Whether a path other than this one has made progress since then. */
  boolean othersMoved(int id, long sinceNs) {
    for (int other = 0; other < SessionParameters.MAX_PATHS; other++) {
      if (other != id && paths.isUp(other) && signs[other] > 0 && movedNs[other] - sinceNs >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Asks the other paths for a sign of life that have nothing under way. */
  void askOthers(int id) {
    for (int other = 0; other < SessionParameters.MAX_PATHS; other++) {
      Path path = paths.get(other);
      if (other != id
          && path != null
          && paths.isUp(other)
          && !paths.isBusy(other)
          && path.progress().look().underWay() == 0) {
        path.ask();
        path.look();
      }
    }
  }

  void end() {
    ended = true;
  }
}
