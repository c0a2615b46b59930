package io.maestro.trainer.options;

import java.io.Serial;

/** The command line is wrong; the message says what and is made to be shown. */
public final class InvalidOptionException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  InvalidOptionException(String message) {
    super(message);
  }
}
