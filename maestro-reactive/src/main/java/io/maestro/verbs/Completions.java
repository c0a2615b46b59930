package io.maestro.verbs;

/** A batch of work completions, oldest first; a view that is valid during the handler's call. */
public interface Completions {

  /** How many there are, at least 1. */
  int size();

  /** The id that the work was posted with. */
  long wrId(int index);

  /** What was done. */
  WcOpcode opcode(int index);

  /** How it ended. */
  WcStatus status(int index);

  /** Bytes received, for a successful {@link WcOpcode#RECV}; bytes moved for others. */
  int byteLength(int index);
}
