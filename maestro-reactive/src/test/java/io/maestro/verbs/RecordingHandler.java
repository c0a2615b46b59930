package io.maestro.verbs;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records what happens to one queue pair, and what must not. */
final class RecordingHandler implements QueuePairHandler {

  /** A completion, copied out of its batch. */
  record Wc(long wrId, WcOpcode opcode, WcStatus status, int byteLength) {

    static Wc success(long wrId, WcOpcode opcode, int byteLength) {
      return new Wc(wrId, opcode, WcStatus.SUCCESS, byteLength);
    }
  }

  private final List<Wc> completions = new ArrayList<>();
  private final List<String> breaches = new ArrayList<>();
  private volatile @Nullable QueuePair qp;
  private volatile boolean established;
  private volatile byte[] peerData = new byte[0];
  private volatile @Nullable VerbsException closed;

  private Consumer<QueuePair> whenCreated = qp -> {};
  private Consumer<QueuePair> whenEstablished = qp -> {};
  private BiConsumer<QueuePair, Wc> whenCompleted = (qp, wc) -> {};
  private Runnable whenClosed = () -> {};

  RecordingHandler whenCreated(Consumer<QueuePair> action) {
    whenCreated = action;
    return this;
  }

  RecordingHandler whenEstablished(Consumer<QueuePair> action) {
    whenEstablished = action;
    return this;
  }

  RecordingHandler whenCompleted(BiConsumer<QueuePair, Wc> action) {
    whenCompleted = action;
    return this;
  }

  RecordingHandler whenClosed(Runnable action) {
    whenClosed = action;
    return this;
  }

  @Override
  public void onCreated(QueuePair created) {
    check(qp == null, "onCreated is called twice");
    check(created.loop().inLoop(), "onCreated is called outside the loop");
    qp = created;
    whenCreated.accept(created);
    Pulse.beat();
  }

  @Override
  public void onEstablished(QueuePair same, ByteBuffer privateData) {
    checkOpen(same, "onEstablished");
    check(!established, "onEstablished is called twice");
    check(privateData.isReadOnly(), "the private data is writable");
    peerData = new byte[privateData.remaining()];
    privateData.get(peerData);
    established = true;
    whenEstablished.accept(same);
    Pulse.beat();
  }

  @Override
  public void onCompletions(QueuePair same, Completions batch) {
    checkOpen(same, "onCompletions");
    check(batch.size() >= 1, "an empty batch of completions");
    for (int i = 0; i < batch.size(); i++) {
      Wc wc = new Wc(batch.wrId(i), batch.opcode(i), batch.status(i), batch.byteLength(i));
      synchronized (this) {
        completions.add(wc);
      }
      whenCompleted.accept(same, wc);
    }
    Pulse.beat();
  }

  @Override
  public void onClosed(VerbsException cause) {
    check(closed == null, "onClosed is called twice");
    QueuePair mine = qp;
    check(mine == null || mine.loop().inLoop(), "onClosed is called outside the loop");
    whenClosed.run();
    closed = cause;
    Pulse.beat();
  }

  private void checkOpen(QueuePair same, String call) {
    check(same.equals(qp), call + " before onCreated, or for another queue pair");
    check(closed == null, call + " after onClosed");
    check(same.loop().inLoop(), call + " is called outside the loop");
  }

  private synchronized void check(boolean holds, String breach) {
    if (!holds) {
      breaches.add(breach);
    }
  }

  QueuePair qp() {
    QueuePair mine = qp;
    if (mine == null) {
      throw new AssertionError("the queue pair was not created; closed: " + closed);
    }
    return mine;
  }

  boolean isCreated() {
    return qp != null;
  }

  boolean isEstablished() {
    return established;
  }

  boolean isClosed() {
    return closed != null;
  }

  byte[] peerData() {
    return peerData;
  }

  VerbsException cause() {
    VerbsException cause = closed;
    if (cause == null) {
      throw new AssertionError("the queue pair is not closed");
    }
    return cause;
  }

  VerbsException.Kind kind() {
    return cause().kind();
  }

  synchronized List<Wc> completions() {
    return List.copyOf(completions);
  }

  synchronized int count() {
    return completions.size();
  }

  synchronized List<String> breaches() {
    return List.copyOf(breaches);
  }
}
