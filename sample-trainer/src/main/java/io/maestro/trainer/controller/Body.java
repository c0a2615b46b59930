package io.maestro.trainer.controller;

import java.io.ByteArrayOutputStream;

/** The body of a request, as far as it may be. Not thread-safe. */
final class Body {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private boolean tooLong;

  void add(byte[] piece) {
    tooLong |= bytes.size() + piece.length > ControllerServer.MOST_REPORT_BYTES;
    if (!tooLong) {
      bytes.writeBytes(piece);
    }
  }

  boolean isTooLong() {
    return tooLong;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
