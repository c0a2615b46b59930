package io.maestro.control;

import io.maestro.api.PathDirective;
import io.maestro.api.PathDirective.Heartbeat;
import io.maestro.api.PathDirective.Mark;
import io.maestro.api.PathDirective.State;
import io.maestro.api.PathDirective.Weights;
import io.maestro.api.PathSet;
import java.net.InetAddress;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Directives as JSON; docs/controller.md describes the format. */
public final class DirectiveJson {
  private static final JsonMapper MAPPER = new JsonMapper();

  private DirectiveJson() {}

  /** One line. */
  public static String write(PathDirective directive) {
    ObjectNode json = MAPPER.createObjectNode();
    switch (directive) {
      case Heartbeat alive -> json.put("directive", "heartbeat");
      case Weights weights -> {
        json.put("directive", "weights");
        ObjectNode byPath = json.putObject("byPath");
        new TreeMap<>(weights.byPath()).forEach((path, w) -> byPath.put(path.toString(), w));
      }
      case Mark mark -> {
        json.put("directive", "mark");
        json.put("state", mark.state().name());
        write(mark.paths(), json);
      }
    }
    return json.toString();
  }

  private static void write(PathSet paths, ObjectNode json) {
    switch (paths) {
      case PathSet.Path path -> json.put("path", path.id());
      case PathSet.Pair pair -> {
        json.put("local", pair.local().getHostAddress());
        json.put("remote", pair.remote().getHostAddress());
      }
      case PathSet.Link link -> {
        json.put("from", link.from());
        json.put("to", link.to());
      }
    }
  }

  /**
   * Reads a directive.
   *
   * @throws IllegalArgumentException when it is none; the message says why
   */
  public static PathDirective read(String text) {
    JsonNode json;
    try {
      json = MAPPER.readTree(text);
    } catch (JacksonException broken) {
      throw new IllegalArgumentException("not JSON: " + broken.getOriginalMessage(), broken);
    }
    String kind = text(json, "directive");
    return switch (kind) {
      case "heartbeat" -> new Heartbeat();
      case "weights" -> new Weights(weights(json.path("byPath")));
      case "mark" -> new Mark(paths(json), state(text(json, "state")));
      default ->
          throw new IllegalArgumentException(
              "'directive' must be heartbeat, weights or mark, was '%s'".formatted(kind));
    };
  }

  private static Map<Integer, Double> weights(JsonNode byPath) {
    if (!byPath.isObject()) {
      throw new IllegalArgumentException("'byPath' must be an object");
    }
    Map<Integer, Double> weights = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : byPath.properties()) {
      if (!entry.getKey().matches("\\d{1,4}") || !entry.getValue().isNumber()) {
        throw new IllegalArgumentException(
            "'byPath' must hold a number for each path, not %s".formatted(entry));
      }
      weights.put(Integer.valueOf(entry.getKey()), entry.getValue().doubleValue());
    }
    return weights;
  }

  private static PathSet paths(JsonNode json) {
    if (json.path("path").isInt()) {
      return new PathSet.Path(json.path("path").intValue());
    }
    return json.has("from")
        ? new PathSet.Link(text(json, "from"), text(json, "to"))
        : new PathSet.Pair(
            InetAddress.ofLiteral(text(json, "local")),
            InetAddress.ofLiteral(text(json, "remote")));
  }

  private static State state(String name) {
    for (State state : State.values()) {
      if (state.name().equals(name)) {
        return state;
      }
    }
    throw new IllegalArgumentException(
        "'state' must be GOOD, ASSUMED_BAD or DENY, was '%s'".formatted(name));
  }

  private static String text(JsonNode json, String field) {
    if (!json.path(field).isString()) {
      throw new IllegalArgumentException("'%s' must be a text".formatted(field));
    }
    return json.path(field).stringValue();
  }
}
