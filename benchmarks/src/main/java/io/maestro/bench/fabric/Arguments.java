package io.maestro.bench.fabric;

import java.util.List;

/** The arguments of an experiment. */
final class Arguments {
  private final List<String> arguments;

  Arguments(String... arguments) {
    this.arguments = List.of(arguments);
    for (String argument : arguments) {
      if (!argument.matches("--(quick|link|vgg19)") && !argument.matches("--[a-z]+=\\d+")) {
        throw new IllegalArgumentException(
            "unknown argument '%s': --quick, --link, --vgg19 or --NAME=NUMBER".formatted(argument));
      }
    }
  }

  boolean quick() {
    return flag("quick");
  }

  boolean flag(String name) {
    return arguments.contains("--" + name);
  }

  int number(String name, int otherwise) {
    String start = "--" + name + "=";
    return arguments.stream()
        .filter(argument -> argument.startsWith(start))
        .map(argument -> Integer.parseInt(argument.substring(start.length())))
        .findFirst()
        .orElse(otherwise);
  }
}
