package io.maestro.trainer.options;

import java.util.Locale;

/** What a process of a run does. */
public enum Role {
  /** Starts the servers and workers as processes of this machine, and shows how they do. */
  LOCAL,
  /** Holds a part of the parameters. */
  SERVER,
  /** Computes gradients of its part of each batch. */
  WORKER,
  /** Trains alone, without any synchronisation. */
  SINGLE,
  /** Steers the paths of processes that follow it. */
  CONTROLLER;

  /** The name on the command line. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
