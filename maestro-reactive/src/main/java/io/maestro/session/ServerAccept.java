package io.maestro.session;

import java.nio.ByteBuffer;

/**
 * What the accepting side answers to a CONNECT, and the keys of the session it opens by that. The
 * session is the peer's only once {@link SessionKeys#isConfirm} has seen its proof: a recorded
 * CONNECT gets an answer too.
 */
record ServerAccept(ByteBuffer accept, SessionKeys keys) {}
