package io.maestro.trainer.options;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The options, in the order in which the help lists them. */
enum Option {
  ROLE("local|server|worker|single|controller", "local", "what this process does"),
  WORKERS("N", "2", "workers in the run"),
  SYNC("ps|allreduce", "ps", "through parameter servers, or by all-reduce among the workers"),
  SERVERS("N", "1", "parameter servers; each holds a part of the parameters (ps)"),
  PATHS("N", "4", "paths of each connection; on loopback 127.0.0.1, 127.0.0.2, …"),
  MODEL("digits|vgg19|bert-large|resnet50", "digits", "digits trains; the others only synchronise"),
  EPOCHS("N", "5", "passes over the training images (digits)"),
  BATCH("N", "100", "images in a step, a multiple of the workers (digits)"),
  STEPS("N", "0", "stop after so many steps; 0: digits at the end, the others after 10"),
  SEED("N", "42", "decides the split of the data, the initial parameters and the batches"),
  REPORT("FILE", "", "write what the run did as JSON"),
  ELASTIC("true|false", "false", "go on when a worker is lost"),
  RANK("N", "0", "this process's number among the workers, or among the servers"),
  LISTEN("HOST:PORT", "127.0.0.1:7471", "where a server or controller listens; port 0 takes any"),
  PEERS("HOST:PORT,…", "", "where the servers are, or all workers (allreduce), for a worker"),
  CONTROLLER("HOST:PORT", "", "the path controller to follow; none unless given"),
  TOPOLOGY("FILE", "", "the fabric that a controller steers, as JSON"),
  PAGE("PORT|off", "off", "serve a live page on loopback, without a port at 8080 (local)"),
  STAY("true|false", "true", "keep the page after the run, until Ctrl-C (local)"),
  METRICS(
      "[HOST:]PORT|off", "off", "serve figures to Prometheus; local: at this port and the next"),
  HELP("true|false", "false", "show this list");

  /** Where a page is looked for first: what Spring Boot's users are used to. */
  private static final String PAGE_PORT = "8080";

  private final String values;
  private final String fallback;
  private final String meaning;

  Option(String values, String fallback, String meaning) {
    this.values = values;
    this.fallback = fallback;
    this.meaning = meaning;
  }

  static Optional<Option> named(String label) {
    return Arrays.stream(values()).filter(option -> option.label().equals(label)).findFirst();
  }

  /** The option most like a word, if one is like it. */
  static Optional<Option> like(String word) {
    return Arrays.stream(values())
        .filter(option -> option.label().startsWith(word) || word.startsWith(option.label()))
        .findFirst();
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What it is when it is not given. */
  String fallback() {
    return fallback;
  }

  /** Its value when only the name is given, which flags allow. */
  Optional<String> bare() {
    if (this == PAGE) {
      return Optional.of(PAGE_PORT);
    }
    return isFlag() ? Optional.of("true") : Optional.empty();
  }

  private boolean isFlag() {
    return values.equals("true|false");
  }

  /** What may stand after the equals sign. */
  List<String> choices() {
    return values.contains("|") && !values.contains("PORT")
        ? List.of(values.split("\\|"))
        : List.of();
  }

  String helpLine() {
    boolean isOff = isFlag() && fallback.equals("false");
    String name = "--" + label() + (isOff ? "" : "=" + values);
    String otherwise = isOff || fallback.isEmpty() ? "" : " [" + fallback + "]";
    return "  %-44s %s%s".formatted(name, meaning, otherwise);
  }
}
