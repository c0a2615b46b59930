package io.maestro.trainer.options;

/**
 * The live page of a local run.
 *
 * @param port where it is to be served, the first that is tried; 0 for no page
 * @param stays whether it is served after the run until the program is ended
 */
public record PageOption(int port, boolean stays) {

  /** Whether there is a page. */
  public boolean isOn() {
    return port != 0;
  }
}
