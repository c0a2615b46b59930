package io.maestro.session;

/**
 * One queue pair of a path.
 *
 * @param id the path's number
 * @param generation how often the path has been built before
 */
record PathKey(int id, int generation) {}
