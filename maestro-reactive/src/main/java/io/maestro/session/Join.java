package io.maestro.session;

import java.nio.ByteBuffer;

/**
 * A verified request of the peer to add or rebuild a path.
 *
 * @param pathId the path, from 0
 * @param generation how often the path has been built, unsigned; a later QP has a larger one
 * @param message the request as it came, which the answer is bound to
 */
record Join(int pathId, int generation, ByteBuffer message) {

  @Override
  public String toString() {
    return "Join[path=%d, generation=%s]".formatted(pathId, Integer.toUnsignedString(generation));
  }
}
