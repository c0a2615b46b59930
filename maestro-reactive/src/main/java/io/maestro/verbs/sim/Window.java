package io.maestro.verbs.sim;

/**
 * How many bytes may be under way: doubles per round trip, then grows by a unit per round trip, and
 * halves once per round trip with losses (RFC 5681 section 3.1). ECN marks do not move it: they are
 * signals for the user of the queue pair.
 */
final class Window {
  private static final int FIRST_UNITS = 10;
  private static final int LEAST_UNITS = 4;

  private final long unitBytes;
  private final long mostBytes;
  private long bytes;
  private long thresholdBytes;
  private long recoveryPsn;

  Window(long unitBytes, long mostBytes) {
    this.unitBytes = unitBytes;
    this.mostBytes = mostBytes;
    bytes = Math.min(mostBytes, FIRST_UNITS * unitBytes);
    thresholdBytes = mostBytes;
  }

  long bytes() {
    return bytes;
  }

  void acknowledged(long ackedBytes) {
    long growth = bytes < thresholdBytes ? ackedBytes : unitBytes * ackedBytes / bytes;
    bytes = Math.min(mostBytes, bytes + growth);
  }

  /** A packet is lost; those that were sent before this was known count once. */
  void lost(long psn, long nextPsn) {
    if (psn >= recoveryPsn) {
      thresholdBytes = Math.max(bytes / 2, LEAST_UNITS * unitBytes);
      bytes = thresholdBytes;
      recoveryPsn = nextPsn;
    }
  }

  /** Nothing came back for a whole timeout. */
  void silent(long nextPsn) {
    thresholdBytes = Math.max(bytes / 2, LEAST_UNITS * unitBytes);
    bytes = unitBytes;
    recoveryPsn = nextPsn;
  }
}
