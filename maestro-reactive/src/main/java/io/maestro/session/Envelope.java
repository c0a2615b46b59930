package io.maestro.session;

import org.jspecify.annotations.Nullable;

/**
 * A control message on its way. A sequenced one is kept until the peer is known to have consumed
 * it, and goes over another path when its path is lost; the peer drops what it gets twice.
 *
 * @param controlSeq its number among the session's control messages, from 1; 0 for a message about
 *     the path itself
 * @param control what it says
 * @param onConfirmed run on the session's loop when the peer has it; null for none
 */
record Envelope(long controlSeq, Control control, @Nullable Runnable onConfirmed) {

  boolean isSequenced() {
    return controlSeq > 0;
  }
}
