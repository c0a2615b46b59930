package io.maestro.trainer.report;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a supervised process tells its parent. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ProcessEvent.Listening.class, name = "listening"),
  @JsonSubTypes.Type(value = ProcessEvent.Started.class, name = "started"),
  @JsonSubTypes.Type(value = ProcessEvent.Note.class, name = "note"),
  @JsonSubTypes.Type(value = ProcessEvent.Stepped.class, name = "stepped"),
  @JsonSubTypes.Type(value = ProcessEvent.Sampled.class, name = "sampled"),
  @JsonSubTypes.Type(value = ProcessEvent.PathChanged.class, name = "path"),
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

  /**
   * How far a worker is, a few times a second.
   *
   * @param step counts from 1 over all epochs
   * @param loss of its part of the batch; null when nothing is computed
   */
  record Stepped(long step, @Nullable Double loss) implements ProcessEvent {}

  /**
   * How the paths of a process fare, a few times a second.
   *
   * @param atNs when, by the clock of the process: lines may wait on their way
   */
  record Sampled(long atNs, List<PathFigures> paths) implements ProcessEvent {}

  /**
   * Something happened to a path of a worker.
   *
   * @param what the same in words
   */
  record PathChanged(int path, Change change, String what) implements ProcessEvent {}

  /** What can happen to a path. */
  enum Change {
    /** It carries data, for the first time or again. */
    UP,
    /** It was lost. */
    DOWN,
    /** What it carried goes over other paths. */
    FAILOVER,
    /** It could not be connected anew this time. */
    ATTEMPT,
    /** Anything else. */
    OTHER
  }

  /** A worker has ended an epoch or a step. */
  record Ended(Interval interval) implements ProcessEvent {}

  /** A worker has come to its end. */
  record Finished(WorkerResult result) implements ProcessEvent {}
}
