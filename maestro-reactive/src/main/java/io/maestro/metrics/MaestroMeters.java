package io.maestro.metrics;

import io.maestro.api.Connection;
import io.maestro.api.MaestroObserver;
import io.maestro.api.MaestroStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Registers the meters of a Maestro, {@link MaestroMeter}, for as long as it is there: one of these
 * for each Maestro, given to its builder as observer.
 *
 * <p>What moves is read from the connections when the registry is read, at most once in 20 ms: a
 * chunk costs nothing, a message two records. A path is seen from the second reading after it has
 * come. Never blocks.
 */
public final class MaestroMeters implements MaestroObserver {
  private final MeterRegistry registry;
  private final MeterOptions options;
  private volatile @Nullable Meters meters;

  private record Meters(
      Registering registering,
      Peers peers,
      MessageMeters sent,
      MessageMeters received,
      Counter done,
      Counter failed) {}

  /** Meters with the default limits and tags. */
  public MaestroMeters(MeterRegistry registry) {
    this(registry, MeterOptions.defaults());
  }

  /** Meters that nothing has yet: they are registered when the Maestro starts. */
  public MaestroMeters(MeterRegistry registry, MeterOptions options) {
    this.registry = registry;
    this.options = options;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException when another Maestro has these
   */
  @Override
  public synchronized void started(MaestroStatus maestro) {
    if (meters != null) {
      throw new IllegalStateException("each Maestro needs its own MaestroMeters");
    }
    Tags tags = Tags.of("provider", maestro.provider());
    for (var tag : options.tags().entrySet()) {
      tags = tags.and(tag.getKey(), tag.getValue());
    }
    Registering all = new Registering(registry, tags);
    all.gauge(MaestroMeter.MEMORY_USED, maestro, MaestroStatus::leasedBytes);
    all.gauge(MaestroMeter.MEMORY_LIMIT, maestro, each -> each.config().memoryBudgetBytes());
    meters =
        new Meters(
            all,
            new Peers(new Registering(registry, tags), options),
            new MessageMeters(all, "sent"),
            new MessageMeters(all, "received"),
            all.own(closed(tags, "done")),
            all.own(closed(tags, "failed")));
  }

  private Counter closed(Tags tags, String outcome) {
    return Counter.builder(MaestroMeter.SESSION_CLOSED.id())
        .baseUnit(MaestroMeter.SESSION_CLOSED.unit())
        .description(MaestroMeter.SESSION_CLOSED.meaning())
        .tags(tags.and("outcome", outcome))
        .register(registry);
  }

  @Override
  public synchronized void stopped() {
    Meters known = meters;
    meters = null;
    if (known != null) {
      known.peers.remove();
      known.registering.removeAll();
    }
  }

  @Override
  public void connectionOpened(Connection connection) {
    Meters known = meters;
    if (known != null) {
      known.peers.opened(connection);
    }
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable Throwable failure) {
    Meters known = meters;
    if (known != null) {
      known.peers.closed(connection);
      (failure == null ? known.done : known.failed).increment();
    }
  }

  @Override
  public Finish sendStarted(Connection connection, long bytes, ContextView context) {
    Meters known = meters;
    return known == null ? Finish.NONE : known.sent.started(bytes);
  }

  @Override
  public Finish receiveStarted(Connection connection, long bytes) {
    Meters known = meters;
    return known == null ? Finish.NONE : known.received.started(bytes);
  }
}
