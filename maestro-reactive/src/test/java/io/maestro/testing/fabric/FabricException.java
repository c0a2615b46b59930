package io.maestro.testing.fabric;

/** A command of the fabric failed; the message is what it said. */
public final class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  FabricException(String message) {
    super(message);
  }
}
