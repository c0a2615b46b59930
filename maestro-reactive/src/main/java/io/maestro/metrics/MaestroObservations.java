package io.maestro.metrics;

import io.maestro.api.Connection;
import io.maestro.api.MaestroObserver;
import io.maestro.api.MaestroStatus;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Makes an {@link Observation} of each message, for traces: {@link #SEND} and {@link #RECEIVE}. One
 * of these for each Maestro, given to its builder as observer.
 *
 * <p>A send is a child of the observation in the subscriber's context, else of the current one of
 * the thread that subscribes. A received message has no parent: what comes with it belongs to its
 * user. Observations have the low-cardinality keys {@code provider} and {@code outcome}, and the
 * high-cardinality keys {@code peer} and {@code bytes}.
 */
public final class MaestroObservations implements MaestroObserver {
  /** The name of the observation of a message that is sent. */
  public static final String SEND = "maestro.send";

  /** The name of the observation of a message that is received. */
  public static final String RECEIVE = "maestro.receive";

  /** Where Micrometer's context propagation keeps the observation of a Reactor context. */
  private static final String CONTEXT_KEY = "micrometer.observation";

  private static final KeyValue UNDER_WAY = KeyValue.of("outcome", "none");

  private final ObservationRegistry registry;
  private volatile String provider = "none";

  /** Observations for the handlers of a registry. */
  public MaestroObservations(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void started(MaestroStatus maestro) {
    provider = maestro.provider();
  }

  @Override
  public Finish sendStarted(Connection connection, long bytes, ContextView context) {
    if (registry.isNoop()) {
      return Finish.NONE;
    }
    Observation parent =
        context.getOrDefault(CONTEXT_KEY, null) instanceof Observation given
            ? given
            : registry.getCurrentObservation();
    return start(SEND, connection, bytes, parent);
  }

  @Override
  public Finish receiveStarted(Connection connection, long bytes) {
    return registry.isNoop() ? Finish.NONE : start(RECEIVE, connection, bytes, null);
  }

  private Finish start(
      String name, Connection connection, long bytes, @Nullable Observation parent) {
    Observation observation =
        Observation.createNotStarted(name, registry)
            .contextualName(name)
            .parentObservation(parent)
            .lowCardinalityKeyValue("provider", provider)
            .lowCardinalityKeyValue(UNDER_WAY)
            .highCardinalityKeyValue("peer", connection.peer())
            .highCardinalityKeyValue("bytes", Long.toString(bytes))
            .start();
    return (outcome, failure) -> {
      observation.lowCardinalityKeyValue("outcome", outcome.name().toLowerCase(Locale.ROOT));
      if (failure != null) {
        observation.error(failure);
      }
      observation.stop();
    };
  }
}
