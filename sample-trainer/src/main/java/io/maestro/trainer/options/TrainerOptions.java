package io.maestro.trainer.options;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A checked command line.
 *
 * @param role what this process does
 * @param job what the whole run does
 * @param place where this process stands in the run
 * @param steering who steers paths
 * @param page the live page
 * @param metrics where figures are served
 * @param report file for the JSON report; null for none
 * @param help whether only the list of options is asked for
 * @param others arguments for Spring Boot and Maestro, such as {@code --maestro.chunk-size=100KB}
 */
public record TrainerOptions(
    Role role,
    Job job,
    Place place,
    Steering steering,
    PageOption page,
    MetricsOption metrics,
    @Nullable Path report,
    boolean help,
    List<String> others) {

  /** Synthetic models stop after this many steps unless told otherwise. */
  private static final int SYNTHETIC_STEPS = 10;

  /** What the bundled digits leave to train on. */
  static final int TRAINING_IMAGES = 8_500;

  /** The name of the model that is really trained. */
  public static final String DIGITS = "digits";

  /**
   * What all processes of a run are told alike.
   *
   * @param servers parameter servers; 0 when workers all-reduce among themselves
   * @param steps the most steps; 0 for no limit
   */
  public record Job(
      String model,
      int workers,
      int servers,
      int paths,
      int epochs,
      int batch,
      int steps,
      long seed,
      boolean elastic) {

    /** Whether workers synchronise among themselves. */
    public boolean allReduces() {
      return servers == 0;
    }

    /** Whether gradients are computed. */
    public boolean trains() {
      return model.equals(DIGITS);
    }

    /** How many steps the run makes. */
    public int totalSteps() {
      if (!trains()) {
        return syntheticSteps();
      }
      int all = epochs * (TRAINING_IMAGES / batch);
      return steps == 0 ? all : Math.min(steps, all);
    }

    /** The steps of a model that is only synchronised. */
    public int syntheticSteps() {
      return steps == 0 ? SYNTHETIC_STEPS : steps;
    }
  }

  /**
   * What differs between the processes of a run.
   *
   * @param rank number among the workers or servers, from 0
   * @param listen where a server listens
   * @param peers where a worker finds the servers, in the order of their ranks
   */
  public record Place(int rank, InetSocketAddress listen, List<InetSocketAddress> peers) {}

  /**
   * Who steers paths.
   *
   * @param controller the path controller that this process follows; null for none
   * @param topology the fabric that this controller steers; null unless it is one
   */
  public record Steering(@Nullable InetSocketAddress controller, @Nullable Path topology) {}

  /**
   * Reads a command line.
   *
   * @throws InvalidOptionException when an option is unknown or its value is wrong
   */
  public static TrainerOptions parse(List<String> arguments) {
    return new OptionParser(arguments).parse();
  }

  /** All options with their meaning and default, one a line. */
  public static String usage() {
    return OptionParser.usage();
  }
}
