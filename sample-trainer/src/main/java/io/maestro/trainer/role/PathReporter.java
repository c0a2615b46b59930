package io.maestro.trainer.role;

import io.maestro.api.Connection;
import io.maestro.api.MaestroObserver;
import io.maestro.api.PathEvent;
import io.maestro.api.PathReport;
import io.maestro.trainer.options.Role;
import io.maestro.trainer.report.EventWriter;
import io.maestro.trainer.report.PathFigures;
import io.maestro.trainer.report.ProcessEvent.Change;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Tells the parent how the paths of this process fare. Never in the way of the data. */
public final class PathReporter implements MaestroObserver {

  /** Four times a second: as often as a page is drawn. */
  private static final Duration PERIOD = Duration.ofMillis(250);

  private final Map<Connection, Map<Integer, Ends>> connections = new ConcurrentHashMap<>();
  private final Scheduler scheduler = Schedulers.newSingle("path-reporter", true);
  private final Role role;
  private final EventWriter parent;

  /** Where a path leads, which its report does not say while it is being connected anew. */
  private record Ends(String virtualNic, int serverPort) {}

  /**
   * Starts to tell.
   *
   * @param role of this process: a server's paths have the virtual NIC at their other end
   */
  public PathReporter(Role role, EventWriter parent) {
    this.role = role;
    this.parent = parent;
    Flux.interval(PERIOD, scheduler).onBackpressureDrop().subscribe(tick -> report());
  }

  @Override
  public void connectionOpened(Connection connection) {
    connections.put(connection, new HashMap<>());
    connection.pathEvents().publishOn(scheduler).filter(this::isOurs).subscribe(this::tell);
  }

  /** Both ends see a loss, and workers tell of it; each end has chunks of its own to repeat. */
  private boolean isOurs(PathEvent event) {
    return role == Role.WORKER || event instanceof PathEvent.FailedOver;
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable Throwable failure) {
    connections.remove(connection);
  }

  private void report() {
    List<PathFigures> all = new ArrayList<>();
    connections.forEach(
        (connection, ends) ->
            connection.paths().forEach(path -> figures(path, ends).ifPresent(all::add)));
    if (!all.isEmpty()) {
      parent.sampled(all);
    }
  }

  /** Empty before the path was connected for the first time. */
  private Optional<PathFigures> figures(PathReport path, Map<Integer, Ends> known) {
    boolean connects = role == Role.WORKER;
    InetSocketAddress nic = connects ? path.local() : path.remote();
    InetSocketAddress server = connects ? path.remote() : path.local();
    if (!nic.isUnresolved() && !server.isUnresolved()) {
      known.put(path.id(), new Ends(nic.getAddress().getHostAddress(), server.getPort()));
    }
    return Optional.ofNullable(known.get(path.id())).map(ends -> figures(path, ends));
  }

  private static PathFigures figures(PathReport path, Ends ends) {
    return new PathFigures(
        path.id(),
        ends.virtualNic(),
        ends.serverPort(),
        path.state().name(),
        path.health().breaker().name(),
        path.weight(),
        path.ackedBytes(),
        path.inFlightBytes(),
        path.rttNs(),
        path.health().failovers());
  }

  private void tell(PathEvent event) {
    if (event.path() != PathEvent.CONNECTION) {
      parent.pathChanged(event.path(), change(event), event.describe());
    }
  }

  private static Change change(PathEvent event) {
    return switch (event) {
      case PathEvent.Up up -> Change.UP;
      case PathEvent.Down down -> Change.DOWN;
      case PathEvent.FailedOver over -> Change.FAILOVER;
      case PathEvent.AttemptFailed failed -> Change.ATTEMPT;
      case PathEvent.Suspended suspended -> Change.OTHER;
      case PathEvent.Probing probing -> Change.OTHER;
      case PathEvent.Steered steered -> Change.OTHER;
      case PathEvent.Refused refused -> Change.OTHER;
    };
  }

  @Override
  public void stopped() {
    scheduler.dispose();
  }
}
