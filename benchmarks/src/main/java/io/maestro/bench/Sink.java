package io.maestro.bench;

import io.maestro.verbs.Completions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import java.nio.ByteBuffer;

/** The passive end of one-sided work: nothing happens here. */
final class Sink implements QueuePairHandler {

  @Override
  public void onCreated(QueuePair qp) {}

  @Override
  public void onEstablished(QueuePair qp, ByteBuffer privateData) {}

  @Override
  public void onCompletions(QueuePair qp, Completions completions) {}

  @Override
  public void onClosed(VerbsException cause) {}
}
