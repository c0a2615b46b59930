package io.maestro.session;

/**
 * Memory of the peer that a measurement writes into and reads from.
 *
 * @param address the peer's name of its first byte
 * @param rkey its key
 * @param bytes its size
 */
record MeterTarget(long address, int rkey, int bytes) {}
