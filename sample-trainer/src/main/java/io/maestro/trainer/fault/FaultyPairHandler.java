package io.maestro.trainer.fault;

import io.maestro.verbs.Completions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps back what a queue pair brings while its link is cut. On the queue pair's loop. */
final class FaultyPairHandler implements QueuePairHandler, FaultyDevice.Faulty {

  private final QpOptions options;
  private final FaultBoard.Link link;
  private final QueuePairHandler handler;
  private final Consumer<FaultyDevice.Faulty> onEnd;
  private final Deque<News> unheard = new ArrayDeque<>();
  private @Nullable FaultyQueuePair pair;
  private boolean released;

  FaultyPairHandler(
      QpOptions options,
      FaultBoard.Link link,
      QueuePairHandler handler,
      Consumer<FaultyDevice.Faulty> onEnd) {
    this.options = options;
    this.link = link;
    this.handler = handler;
    this.onEnd = onEnd;
  }

  /** What the other side of a cut link does not know yet. */
  private sealed interface News {
    record Established(ByteBuffer privateData) implements News {}

    record Completed(KeptCompletions completions) implements News {}

    record Closed(VerbsException cause) implements News {}
  }

  @Override
  public EventLoop loop() {
    return options.loop();
  }

  @Override
  public void changed() {
    if (pair != null) {
      hear();
      pair.pump();
    }
  }

  @Override
  public void released() {
    released = true;
    hear();
  }

  @Override
  public void onCreated(QueuePair qp) {
    pair = new FaultyQueuePair(qp, link, options.sendDepth(), this::closing);
    handler.onCreated(pair);
  }

  @Override
  public void onEstablished(QueuePair qp, ByteBuffer privateData) {
    if (isDeaf()) {
      ByteBuffer copy = ByteBuffer.allocate(privateData.remaining()).put(privateData).flip();
      unheard.add(new News.Established(copy.asReadOnlyBuffer()));
    } else {
      established(privateData);
    }
  }

  @Override
  public void onCompletions(QueuePair qp, Completions completions) {
    if (isDeaf()) {
      unheard.add(new News.Completed(KeptCompletions.of(completions)));
    } else {
      hear();
      completed(completions);
    }
  }

  @Override
  public void onClosed(VerbsException cause) {
    if (isDeaf()) {
      unheard.add(new News.Closed(cause));
    } else {
      hear();
      closed(cause);
    }
  }

  private boolean isDeaf() {
    return link.fault().cuts() && !released;
  }

  /** This side gives it up, and gets back what it has posted. */
  private void closing() {
    if (!released) {
      released = true;
      loop().execute(this::hear);
    }
  }

  private void hear() {
    while (!isDeaf() && !unheard.isEmpty()) {
      switch (unheard.remove()) {
        case News.Established established -> established(established.privateData());
        case News.Completed completed -> {
          KeptCompletions kept = completed.completions();
          completed(released ? kept.flushed() : kept);
          flush();
        }
        case News.Closed closed -> closed(closed.cause());
      }
    }
  }

  /** Starts what was posted by a handler that the provider has not called. */
  private void flush() {
    if (pair != null) {
      pair.flush();
    }
  }

  private void established(ByteBuffer privateData) {
    if (pair != null) {
      pair.opened();
      handler.onEstablished(pair, privateData);
    }
  }

  private void completed(Completions completions) {
    if (pair != null) {
      handler.onCompletions(pair, completions);
    }
  }

  private void closed(VerbsException cause) {
    onEnd.accept(this);
    if (pair != null) {
      Deque<Post> undone = pair.ended();
      if (!undone.isEmpty()) {
        handler.onCompletions(pair, KeptCompletions.flushed(undone));
      }
    }
    handler.onClosed(cause);
  }
}
