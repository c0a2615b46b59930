package io.maestro.session;

/** One of the two peers of a simulated connection. */
enum Side {
  CLIENT,
  SERVER;

  Side other() {
    return this == CLIENT ? SERVER : CLIENT;
  }
}
