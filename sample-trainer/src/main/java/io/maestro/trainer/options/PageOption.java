package io.maestro.trainer.options;

/**
 * The live page of a local run.
 *
 * @param isOn whether there is a page
 * @param port where it is to be served, the first that is tried; 0 for any that is free
 * @param stays whether it is served after the run until the program is ended
 */
public record PageOption(boolean isOn, int port, boolean stays) {}
