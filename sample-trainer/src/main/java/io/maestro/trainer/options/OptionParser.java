package io.maestro.trainer.options;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns words into {@link TrainerOptions}. */
final class OptionParser {

  /** Options with these prefixes belong to Spring Boot or to the transport. */
  private static final List<String> FOREIGN =
      List.of("--spring.", "--logging.", "--maestro.", "--management.", "--server.", "--debug");

  private static final int MOST_PROCESSES = 64;
  private static final int MOST_PATHS = 64;
  private static final int MOST_PORT = 65_535;

  private final Map<Option, String> given = new EnumMap<>(Option.class);
  private final List<String> others = new ArrayList<>();

  OptionParser(List<String> arguments) {
    arguments.forEach(this::take);
  }

  static String usage() {
    String options =
        Arrays.stream(Option.values()).map(Option::helpLine).collect(Collectors.joining("\n"));
    return """
        Options:
        %s

        By hand on several hosts: the same options, and the same secret in the environment as
        MAESTRO_SECRET, for each process; with --role=server --listen=HOST:PORT on one host,
        --role=worker --rank=0 --peers=HOST:PORT on the next, and so on.
        A controller of paths: --role=controller --listen=HOST:PORT --topology=FILE, and
        --controller=HOST:PORT for the processes that are to follow it.
        Exit codes: 0 done, 1 the run failed, 2 a wrong option."""
        .formatted(options);
  }

  TrainerOptions parse() {
    Role role = Role.valueOf(text(Option.ROLE).toUpperCase(Locale.ROOT));
    var job =
        new TrainerOptions.Job(
            text(Option.MODEL),
            number(Option.WORKERS, 1, MOST_PROCESSES),
            servers(),
            number(Option.PATHS, 1, MOST_PATHS),
            number(Option.EPOCHS, 1, 10_000),
            number(Option.BATCH, 1, TrainerOptions.TRAINING_IMAGES),
            number(Option.STEPS, 0, Integer.MAX_VALUE),
            whole(Option.SEED, Long.MIN_VALUE, Long.MAX_VALUE),
            flag(Option.ELASTIC));
    var options =
        new TrainerOptions(
            role, job, place(), steering(), page(), metrics(), report(), flag(Option.HELP), others);
    if (!options.help()) {
      check(options);
    }
    return options;
  }

  private int servers() {
    if (text(Option.SYNC).equals("ps")) {
      return number(Option.SERVERS, 1, MOST_PROCESSES);
    }
    if (given.containsKey(Option.SERVERS)) {
      throw wrong(Option.SERVERS, "needs --sync=ps: workers that all-reduce have no server");
    }
    return 0;
  }

  private TrainerOptions.Place place() {
    return new TrainerOptions.Place(
        number(Option.RANK, 0, MOST_PROCESSES - 1),
        address(Option.LISTEN, text(Option.LISTEN)),
        text(Option.PEERS).isEmpty()
            ? List.of()
            : Arrays.stream(text(Option.PEERS).split(","))
                .map(peer -> address(Option.PEERS, peer))
                .toList());
  }

  private TrainerOptions.Steering steering() {
    String controller = text(Option.CONTROLLER);
    String topology = text(Option.TOPOLOGY);
    return new TrainerOptions.Steering(
        controller.isEmpty() ? null : address(Option.CONTROLLER, controller),
        topology.isEmpty() ? null : Path.of(topology));
  }

  private PageOption page() {
    boolean isOn = !text(Option.PAGE).equals("off");
    return new PageOption(isOn, isOn ? number(Option.PAGE, 0, MOST_PORT) : 0, flag(Option.STAY));
  }

  private MetricsOption metrics() {
    String text = text(Option.METRICS);
    if (text.equals("off")) {
      return MetricsOption.OFF;
    }
    String where = text.contains(":") ? text : "127.0.0.1:" + text;
    InetSocketAddress address = address(Option.METRICS, where);
    if (address.getPort() == 0) {
      throw wrong(Option.METRICS, "needs a port that Prometheus knows, not 0");
    }
    return new MetricsOption(address.getHostString(), address.getPort());
  }

  private @Nullable Path report() {
    return text(Option.REPORT).isEmpty() ? null : Path.of(text(Option.REPORT));
  }

  private void take(String argument) {
    if (FOREIGN.stream().anyMatch(argument::startsWith)) {
      others.add(argument);
      return;
    }
    if (!argument.startsWith("--")) {
      throw new InvalidOptionException("'" + argument + "' is no option: options start with --");
    }
    String[] parts = argument.substring(2).split("=", 2);
    Option option = Option.named(parts[0]).orElseThrow(() -> unknown(parts[0]));
    String value =
        parts.length == 2
            ? parts[1]
            : option.bare().orElseThrow(() -> wrong(option, "needs a value"));
    if (!option.choices().isEmpty() && !option.choices().contains(value)) {
      String choices = String.join(", ", option.choices());
      throw wrong(option, "is one of " + choices + ", not '" + value + "'");
    }
    if (given.put(option, value) != null) {
      throw wrong(option, "is given twice");
    }
  }

  private static InvalidOptionException unknown(String word) {
    String hint = Option.like(word).map(o -> "; is --" + o.label() + " meant?").orElse("");
    return new InvalidOptionException("unknown option --" + word + hint);
  }

  private static void check(TrainerOptions options) {
    TrainerOptions.Job job = options.job();
    int rank = options.place().rank();
    if (job.trains() && job.batch() % job.workers() != 0) {
      throw wrong(Option.BATCH, "must be a multiple of the %d workers".formatted(job.workers()));
    }
    if (job.allReduces() && job.elastic()) {
      throw wrong(Option.ELASTIC, "needs --sync=ps");
    }
    switch (options.role()) {
      case WORKER -> {
        checkRank(rank, job.workers(), "workers");
        checkPeers(options.place().peers().size(), job);
      }
      case SERVER -> {
        if (job.allReduces()) {
          throw wrong(Option.ROLE, "server needs --sync=ps");
        }
        checkRank(rank, job.servers(), "servers");
      }
      case SINGLE -> {
        if (!job.trains()) {
          throw wrong(Option.ROLE, "single needs --model=digits: it has nothing to synchronise");
        }
      }
      case CONTROLLER -> {
        if (options.steering().topology() == null) {
          throw wrong(Option.TOPOLOGY, "must name a file: a controller needs to know the fabric");
        }
      }
      case LOCAL -> {
        // Needs nothing more.
      }
    }
  }

  private static void checkPeers(int peers, TrainerOptions.Job job) {
    int expected = job.allReduces() ? job.workers() : job.servers();
    if (peers != expected) {
      String what = job.allReduces() ? "workers" : "server(s)";
      throw wrong(
          Option.PEERS, "must name the %d %s, but names %d".formatted(expected, what, peers));
    }
  }

  private static void checkRank(int rank, int count, String what) {
    if (rank >= count) {
      throw wrong(
          Option.RANK,
          "counts from 0 and there are %d %s, so it is not %d".formatted(count, what, rank));
    }
  }

  private String text(Option option) {
    return given.getOrDefault(option, option.fallback());
  }

  private boolean flag(Option option) {
    return Boolean.parseBoolean(text(option));
  }

  private int number(Option option, int least, int most) {
    return Math.toIntExact(whole(option, least, most));
  }

  private long whole(Option option, long least, long most) {
    try {
      long value = Long.parseLong(text(option));
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // The message below says what is expected.
    }
    throw wrong(
        option, "is a whole number from %d to %d, not '%s'".formatted(least, most, text(option)));
  }

  private static InetSocketAddress address(Option option, String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (colon > 0 && port >= 0 && port <= MOST_PORT) {
        var address = new InetSocketAddress(text.substring(0, colon), port);
        if (address.isUnresolved()) {
          throw wrong(option, "names the host " + address.getHostString() + ", which is unknown");
        }
        return address;
      }
    } catch (NumberFormatException e) {
      // The message below says what is expected.
    }
    throw wrong(option, "is host:port, not '" + text + "'");
  }

  private static InvalidOptionException wrong(Option option, String problem) {
    return new InvalidOptionException("--" + option.label() + " " + problem);
  }
}
