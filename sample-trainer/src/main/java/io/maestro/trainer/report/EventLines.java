package io.maestro.trainer.report;

import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** Events as lines of text between the other output of a process: a mark, then JSON. */
public final class EventLines {

  private static final String MARK = "@maestro ";

  private final JsonMapper mapper;

  /** Writes and reads with the given mapper. */
  public EventLines(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /** The line for an event, without its end. */
  public String line(ProcessEvent event) {
    return MARK + mapper.writerFor(ProcessEvent.class).writeValueAsString(event);
  }

  /** The event in a line, or nothing if it is ordinary output. */
  public Optional<ProcessEvent> event(String line) {
    return line.startsWith(MARK)
        ? Optional.of(mapper.readValue(line.substring(MARK.length()), ProcessEvent.class))
        : Optional.empty();
  }
}
