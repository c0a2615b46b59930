package io.maestro.trainer.sync;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The synchronisation cannot go on; the message names who is at fault and is made to be shown. */
public final class SyncException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  /** An error with what caused it, if anything did. */
  public SyncException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
