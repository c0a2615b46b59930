package io.maestro.verbs.iwarp;

/** Something that lives on a loop and must have ended before the loop ends. */
interface LoopMember {

  /** Ends it in this or one of the next turns; then it leaves the loop. */
  void shutDown();
}
