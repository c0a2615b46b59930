package io.maestro.trainer.role;

import java.io.Serial;

/** A run of several processes failed; the message says which and is made to be shown. */
public final class RunFailedException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  RunFailedException(String message) {
    super(message);
  }
}
