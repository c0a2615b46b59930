package io.maestro.bench;

import io.maestro.verbs.Completions;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/** Keeps the send queue of one queue pair full of WRITEs. */
final class Writer implements QueuePairHandler {
  private final MemoryRegion source;
  private final MemoryRegion target;
  private final int chunkBytes;
  private final int depth;
  private final CountDownLatch established = new CountDownLatch(1);
  private volatile boolean running = true;
  private volatile long writtenBytes;
  private long offset;
  private int outstanding;

  Writer(MemoryRegion source, MemoryRegion target, int chunkBytes, int depth) {
    this.source = source;
    this.target = target;
    this.chunkBytes = chunkBytes;
    this.depth = depth;
  }

  void awaitEstablished() throws InterruptedException {
    established.await();
  }

  long writtenBytes() {
    return writtenBytes;
  }

  void stop() {
    running = false;
  }

  private void post(QueuePair qp) {
    while (running && outstanding < depth) {
      if (offset + chunkBytes > source.memory().byteSize()) {
        offset = 0;
      }
      boolean taken =
          qp.postWrite(
              offset, source, offset, chunkBytes, target.remoteAddress() + offset, target.rkey());
      if (!taken) {
        return;
      }
      offset += chunkBytes;
      outstanding++;
    }
  }

  @Override
  public void onCreated(QueuePair qp) {}

  @Override
  public void onEstablished(QueuePair qp, ByteBuffer privateData) {
    established.countDown();
    post(qp);
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // written by the loop only
  public void onCompletions(QueuePair qp, Completions completions) {
    outstanding -= completions.size();
    writtenBytes += (long) completions.size() * chunkBytes;
    post(qp);
  }

  @Override
  public void onClosed(VerbsException cause) {
    if (running) {
      System.err.println("a queue pair ended: " + cause.getMessage());
    }
  }
}
