package io.maestro.session;

/** The random 128-bit name of a session. It identifies, it proves nothing. */
record SessionId(long high, long low) {

  /** The first 8 of 32 hexadecimal digits: enough to follow a session through a log. */
  @Override
  public String toString() {
    return "%08x…".formatted(high >>> 32);
  }
}
