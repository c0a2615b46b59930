package io.maestro.session;

import org.jspecify.annotations.Nullable;

/**
 * A sequenced control message on its way. It is kept until the peer is known to have consumed it,
 * and goes over another path when its path is lost; the peer drops what it gets twice.
 *
 * @param controlSeq its number among the session's control messages, from 1
 * @param control what it says
 * @param onConfirmed run on the session's loop when the peer has it; null for none
 */
record Envelope(long controlSeq, Control control, @Nullable Runnable onConfirmed) {}
