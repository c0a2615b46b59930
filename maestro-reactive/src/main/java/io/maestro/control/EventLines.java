package io.maestro.control;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The data of server-sent events, each of one line, from the pieces in which they come. Not
 * thread-safe.
 */
final class EventLines {
  private static final int MOST_BYTES = 64 * 1024;
  private static final String DATA = "data:";

  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  /**
   * Takes the next piece.
   *
   * @return the events that it completes
   * @throws IllegalStateException when a line is longer than 64 KiB
   */
  List<String> take(ByteBuffer piece) {
    List<String> events = new ArrayList<>();
    while (piece.hasRemaining()) {
      byte next = piece.get();
      if (next != '\n') {
        line.write(next);
        if (line.size() > MOST_BYTES) {
          throw new IllegalStateException("an event is longer than %d bytes".formatted(MOST_BYTES));
        }
        continue;
      }
      String text = line.toString(StandardCharsets.UTF_8);
      line.reset();
      if (text.startsWith(DATA)) {
        events.add(text.substring(DATA.length()).strip());
      }
    }
    return events;
  }
}
