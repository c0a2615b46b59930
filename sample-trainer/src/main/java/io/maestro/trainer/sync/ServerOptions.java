package io.maestro.trainer.sync;

import java.net.InetSocketAddress;

/**
 * What a parameter server is told.
 *
 * @param index its number among the servers, from 0
 * @param listen where it listens; port 0 takes any
 * @param secret what workers must know
 * @param elastic whether the others go on when a worker is lost
 */
public record ServerOptions(int index, InetSocketAddress listen, String secret, boolean elastic) {

  /** Hides the secret. */
  @Override
  public String toString() {
    return "ServerOptions[index=%d, listen=%s, elastic=%s]".formatted(index, listen, elastic);
  }
}
