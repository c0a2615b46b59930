package io.maestro.session;

/** One of the two peers of a simulated connection. */
enum Side {
  CLIENT(0),
  SERVER(1);

  private final int number;

  Side(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  Side other() {
    return this == CLIENT ? SERVER : CLIENT;
  }
}
