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
   * @param frames of the last minutes, oldest first
   * @param losses of the whole run, thinned out when it is long
   * @param news of late, oldest first
   */
  record Snapshot(
      Job job,
      Phase phase,
      String summary,
      List<Frame> frames,
      List<Loss> losses,
      List<Epoch> epochs,
      List<News> news) {}

  /** What is run. */
  record Job(String model, int workers, int servers, int paths, int epochs, boolean trains) {}

  /**
   * One moment.
   *
   * @param paths by number
   * @param routes of each process's connections
   */
  record Frame(
      double at,
      Phase phase,
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
   * @param kind {@code path}, {@code fault}, {@code process} or {@code note}
   * @param path its number; null when it concerns none
   */
  record News(double at, String kind, String source, @Nullable Integer path, String text) {}
}
