package io.maestro.path;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON value that knows where it stands.
 *
 * @param line from 1
 * @param field its place, such as {@code links[3].to}; empty for the whole document
 * @param value a map, a list, a string, a number, a boolean, or null
 */
record LocatedJson(int line, String field, @Nullable Object value) {
  private static final int MAX_DEPTH = 16;

  /**
   * Parses a document.
   *
   * @throws TopologyException when it is not JSON, has a key twice, or something behind it
   */
  static LocatedJson parse(String text) {
    JsonFactory factory = JsonFactory.builder().build();
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() == null) {
        throw new TopologyException(1, "document", "is empty");
      }
      LocatedJson document = read(parser, "", 0);
      if (parser.nextToken() != null) {
        throw new TopologyException(line(parser), "document", "has something behind its end");
      }
      return document;
    } catch (JacksonException broken) {
      throw new TopologyException(
          broken.getLocation() == null ? 1 : broken.getLocation().getLineNr(),
          "document",
          "is not JSON: " + broken.getOriginalMessage());
    }
  }

  private static int line(JsonParser parser) {
    return parser.currentTokenLocation().getLineNr();
  }

  private static LocatedJson read(JsonParser parser, String field, int depth) {
    int line = line(parser);
    if (depth > MAX_DEPTH) {
      throw new TopologyException(line, field, "is nested too deeply");
    }
    JsonToken token = parser.currentToken();
    Object value =
        switch (token) {
          case START_OBJECT -> readObject(parser, field, depth);
          case START_ARRAY -> readArray(parser, field, depth);
          case VALUE_STRING -> parser.getString();
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
          case VALUE_TRUE -> true;
          case VALUE_FALSE -> false;
          default -> null;
        };
    return new LocatedJson(line, field, value);
  }

  private static Map<String, LocatedJson> readObject(JsonParser parser, String field, int depth) {
    Map<String, LocatedJson> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = parser.currentName();
      int line = line(parser);
      String place = field.isEmpty() ? name : field + "." + name;
      parser.nextToken();
      if (members.put(name, read(parser, place, depth + 1)) != null) {
        throw new TopologyException(line, place, "is there twice");
      }
    }
    return members;
  }

  private static List<LocatedJson> readArray(JsonParser parser, String field, int depth) {
    List<LocatedJson> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(read(parser, "%s[%d]".formatted(field, elements.size()), depth + 1));
    }
    return elements;
  }

  // ---- what a value must be

  TopologyException wrong(String problem) {
    return new TopologyException(line, field.isEmpty() ? "document" : field, problem);
  }

  /** A member that must be there. */
  LocatedJson require(String name) {
    LocatedJson member = find(name);
    if (member == null) {
      throw wrong("has no '%s'".formatted(name));
    }
    return member;
  }

  /** A member; null when it is missing or null. */
  @Nullable LocatedJson find(String name) {
    if (!(value instanceof Map<?, ?> members)) {
      throw wrong("must be an object");
    }
    return members.get(name) instanceof LocatedJson member && member.value != null ? member : null;
  }

  List<LocatedJson> elements() {
    if (!(value instanceof List<?> list)) {
      throw wrong("must be an array");
    }
    return list.stream().map(LocatedJson.class::cast).toList();
  }

  String text() {
    if (!(value instanceof String text)) {
      throw wrong("must be a string");
    }
    return text;
  }

  boolean flag() {
    if (!(value instanceof Boolean flag)) {
      throw wrong("must be true or false");
    }
    return flag;
  }

  double number(double min, double max) {
    if (!(value instanceof Double number) || number < min || number > max) {
      throw wrong("must be a number from %.0f to %.0f".formatted(min, max));
    }
    return number;
  }

  long whole(long min, long max) {
    double number = number((double) min, (double) max);
    if (number != Math.rint(number)) {
      throw wrong("must be a whole number");
    }
    return (long) number;
  }
}
