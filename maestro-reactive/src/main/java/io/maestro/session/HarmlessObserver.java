package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.MaestroObserver;
import io.maestro.api.MaestroStatus;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.ContextView;

/** Keeps what an observer throws from whoever calls it. Any thread. */
final class HarmlessObserver implements MaestroObserver {
  private static final Logger LOG = LoggerFactory.getLogger(HarmlessObserver.class);

  /** Enough to see what is wrong; an observer that always fails must not fill the disk. */
  static final int MOST_LOGGED = 10;

  private final MaestroObserver observer;
  private final AtomicInteger failures = new AtomicInteger();

  HarmlessObserver(MaestroObserver observer) {
    this.observer = observer;
  }

  @Override
  public void started(MaestroStatus maestro) {
    run(() -> observer.started(maestro));
  }

  @Override
  public void stopped() {
    run(observer::stopped);
  }

  @Override
  public void connectionOpened(Connection connection) {
    run(() -> observer.connectionOpened(connection));
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable Throwable failure) {
    run(() -> observer.connectionClosed(connection, failure));
  }

  @Override
  public Finish sendStarted(Connection connection, long bytes, ContextView context) {
    return finish(() -> observer.sendStarted(connection, bytes, context));
  }

  @Override
  public Finish receiveStarted(Connection connection, long bytes) {
    return finish(() -> observer.receiveStarted(connection, bytes));
  }

  private Finish finish(Supplier<Finish> start) {
    try {
      Finish end = start.get();
      return end.equals(Finish.NONE)
          ? end
          : (outcome, failure) -> run(() -> end.finished(outcome, failure));
    } catch (RuntimeException | Error thrown) {
      log(thrown);
      return Finish.NONE;
    }
  }

  private void run(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error thrown) {
      log(thrown);
    }
  }

  private void log(Throwable thrown) {
    int count = failures.incrementAndGet();
    if (count <= MOST_LOGGED) {
      String rest = count == MOST_LOGGED ? "; its further failures are not logged" : "";
      LOG.warn("the observer {} has failed{}", observer.getClass().getName(), rest, thrown);
    }
  }
}
