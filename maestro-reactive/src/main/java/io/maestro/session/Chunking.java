package io.maestro.session;

/**
 * How a message is cut: chunks of {@code chunkBytes}, where a remainder of less than a quarter of a
 * chunk rides with the last whole one (the tail rule), because a tiny chunk costs as much work as a
 * whole one. Both peers derive it from the size, so it is never sent.
 *
 * @param sizeBytes size of the message, at least 0
 * @param chunkBytes size of a chunk
 */
record Chunking(long sizeBytes, int chunkBytes) {

  /** Number of chunks; 0 for an empty message. */
  int count() {
    long whole = sizeBytes / chunkBytes;
    long rest = sizeBytes % chunkBytes;
    boolean tailRides = whole > 0 && rest < chunkBytes / 4;
    return Math.toIntExact(rest == 0 || tailRides ? whole : whole + 1);
  }

  /** Where a chunk begins, in bytes from the start of the message. */
  long offset(int index) {
    return (long) index * chunkBytes;
  }

  /** Length of a chunk in bytes. */
  int length(int index) {
    boolean last = index == count() - 1;
    return last ? (int) (sizeBytes - offset(index)) : chunkBytes;
  }
}
