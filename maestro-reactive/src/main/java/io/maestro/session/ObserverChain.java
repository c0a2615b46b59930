package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.MaestroObserver;
import io.maestro.api.MaestroStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** Tells several observers, in order, each as if it were alone. Any thread. */
final class ObserverChain implements MaestroObserver {
  private final List<MaestroObserver> observers;

  private ObserverChain(List<MaestroObserver> observers) {
    this.observers = observers;
  }

  /** One that tells all of them and never throws; null when there is none. */
  static @Nullable MaestroObserver of(List<MaestroObserver> observers) {
    List<MaestroObserver> harmless = new ArrayList<>();
    observers.forEach(observer -> harmless.add(new HarmlessObserver(observer)));
    return switch (harmless.size()) {
      case 0 -> null;
      case 1 -> harmless.getFirst();
      default -> new ObserverChain(List.copyOf(harmless));
    };
  }

  @Override
  public void started(MaestroStatus maestro) {
    observers.forEach(observer -> observer.started(maestro));
  }

  @Override
  public void stopped() {
    observers.forEach(MaestroObserver::stopped);
  }

  @Override
  public void connectionOpened(Connection connection) {
    observers.forEach(observer -> observer.connectionOpened(connection));
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable Throwable failure) {
    observers.forEach(observer -> observer.connectionClosed(connection, failure));
  }

  @Override
  public Finish sendStarted(Connection connection, long bytes, ContextView context) {
    return all(
        observers.stream().map(each -> each.sendStarted(connection, bytes, context)).toList());
  }

  @Override
  public Finish receiveStarted(Connection connection, long bytes) {
    return all(observers.stream().map(each -> each.receiveStarted(connection, bytes)).toList());
  }

  private static Finish all(List<Finish> ends) {
    return (outcome, failure) -> ends.forEach(end -> end.finished(outcome, failure));
  }
}
