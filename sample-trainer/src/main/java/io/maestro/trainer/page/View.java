package io.maestro.trainer.page;

import io.maestro.trainer.fault.Fault;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the page is told, as records that become JSON. Moments are seconds since the run began. */
final class View {

  private View() {}

  /** Where a run is. */
  enum Phase {
    /** Processes start and connect. */
    STARTING,
    /** Steps are made. */
    RUNNING,
    /** It is over and all went well. */
    DONE,
    /** It is over and something did not. */
    FAILED
  }

  /**
   * All that a page needs to begin with.
   *
   * @param now the latest moment
   * @param past the last minutes, oldest first
   * @param losses of the whole run, thinned out when it is long
   * @param news of late, oldest first
   */
  record Snapshot(
      Job job,
      Frame now,
      List<Past> past,
      List<Loss> losses,
      List<Epoch> epochs,
      List<News> news) {}

  /**
   * What is run.
   *
   * @param epochs 0 when nothing is computed
   * @param steps how many there will be
   */
  record Job(
      String model, int workers, int servers, int paths, int epochs, int steps, boolean trains) {}

  /**
   * What is kept of a moment.
   *
   * @param bytesPerSecond of each path, by number
   */
  record Past(double at, List<Double> bytesPerSecond) {}

  /**
   * One moment.
   *
   * @param summary what came out, in words; empty until it is over
   * @param paths by number
   * @param routes of each process's connections
   */
  record Frame(
      double at,
      Phase phase,
      String summary,
      long step,
      @Nullable Double loss,
      List<PathView> paths,
      List<Route> routes) {}

  /**
   * A path of all connections together.
   *
   * @param bytesPerSecond acknowledged payload, of both directions
   * @param weight mean share by the load balancers of the workers
   * @param state the worst of the workers'
   * @param breaker the worst of the workers'
   */
  record PathView(
      int path,
      String virtualNic,
      double bytesPerSecond,
      double weight,
      String state,
      String breaker,
      double rttMs,
      long failovers,
      Fault fault) {}

  /**
   * A path of one worker to one server.
   *
   * @param bytesPerSecond acknowledged payload of the worker's, so towards the server
   */
  record Route(String worker, int server, int path, double bytesPerSecond, String state) {}

  /** The loss of a step, mean over the workers. */
  record Loss(long step, double loss) {}

  /** A pass over the images, or a step of a model that is not computed. */
  record Epoch(
      String unit,
      int number,
      int of,
      @Nullable Double loss,
      @Nullable Double accuracy,
      double seconds) {}

  /**
   * Something that happened.
   *
   * @param kind {@code fault}, {@code note}, or a {@link
   *     io.maestro.trainer.report.ProcessEvent.Change} of a path
   * @param path its number; null when it concerns none
   */
  record News(double at, String kind, String source, @Nullable Integer path, String text) {

    boolean isOf(String otherKind, String otherSource, int otherPath) {
      return kind.equals(otherKind)
          && source.equals(otherSource)
          && path != null
          && path == otherPath;
    }
  }
}
