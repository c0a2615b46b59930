package io.maestro.verbs.iwarp;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets both sides prove who they are before anything else is said. It has the connection's key
 * meanwhile; signatures are made and checked off the loop.
 */
final class TlsHandshake implements ReadyHandler {

  /** Whose connection it is; told once, on the loop. */
  interface Owner extends ReadyHandler {

    /** The peer is known, and the key is the owner's again. Bytes may be here already. */
    void secured(SelectionKey key);

    /** The peer is not who it must be, or is gone. */
    void unsecured(IOException why);
  }

  private static final Logger LOG = LoggerFactory.getLogger(TlsHandshake.class);

  private final IwarpLoop loop;
  private final TlsStream stream;
  private final Owner owner;

  private TlsHandshake(IwarpLoop loop, TlsStream stream, Owner owner) {
    this.loop = loop;
    this.stream = stream;
    this.owner = owner;
  }

  /** Begins at once where there is something to do; a plain stream is ready as it is. */
  static void start(IwarpLoop loop, ByteStream stream, SelectionKey key, Owner owner) {
    if (stream instanceof TlsStream tls) {
      TlsHandshake handshake = new TlsHandshake(loop, tls, owner);
      key.attach(handshake);
      handshake.onReady(key);
    } else {
      owner.secured(key);
    }
  }

  @Override
  public void onReady(SelectionKey key) {
    try {
      switch (stream.shake()) {
        case READ -> key.interestOps(SelectionKey.OP_READ);
        case WRITE -> key.interestOps(SelectionKey.OP_WRITE);
        case COMPUTE -> compute(key);
        case DONE -> {
          stream.widen();
          key.attach(owner);
          owner.secured(key);
        }
      }
    } catch (IOException e) {
      key.attach(owner);
      owner.unsecured(e);
    }
  }

  private void compute(SelectionKey key) {
    key.interestOps(0);
    Thread.ofVirtual()
        .name("maestro-tls-handshake")
        .start(
            () -> {
              stream.runTasks();
              resume(key);
            });
  }

  private void resume(SelectionKey key) {
    try {
      loop.execute(
          () -> {
            if (key.isValid()) {
              onReady(key);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.trace("the loop has ended, and the connection with it", e);
    }
  }
}
