package io.maestro.trainer.report;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What a supervised process tells its parent. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ProcessEvent.Listening.class, name = "listening"),
  @JsonSubTypes.Type(value = ProcessEvent.Started.class, name = "started"),
  @JsonSubTypes.Type(value = ProcessEvent.Note.class, name = "note"),
  @JsonSubTypes.Type(value = ProcessEvent.Ended.class, name = "ended"),
  @JsonSubTypes.Type(value = ProcessEvent.Finished.class, name = "finished")
})
public sealed interface ProcessEvent {

  /** A server listens at {@code host:port}. */
  record Listening(String address) implements ProcessEvent {}

  /** A worker has seen that all have joined. */
  record Started() implements ProcessEvent {}

  /** Something to show to the user. */
  record Note(String text) implements ProcessEvent {}

  /** A worker has ended an epoch or a step. */
  record Ended(Interval interval) implements ProcessEvent {}

  /** A worker has come to its end. */
  record Finished(WorkerResult result) implements ProcessEvent {}
}
