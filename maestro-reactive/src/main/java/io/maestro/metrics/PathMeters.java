package io.maestro.metrics;

import io.maestro.api.PathReport;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.function.Supplier;

/** The meters of the paths that have one set of tags. */
final class PathMeters {
  private final Registering registering;
  private final Supplier<PathTotals> totals;
  private boolean marksKnown;

  /**
   * Registers them.
   *
   * @param totals what the paths have now; any thread
   */
  PathMeters(Registering registering, Supplier<PathTotals> totals) {
    this.registering = registering;
    this.totals = totals;
    registering.counter(MaestroMeter.PATH_BYTES, this, each -> each.now().bytes());
    registering.counter(MaestroMeter.PATH_CHUNKS, this, each -> each.now().chunks());
    registering.counter(MaestroMeter.PATH_FAILOVERS, this, each -> each.now().failovers());
    registering.gauge(MaestroMeter.PATH_WEIGHT, this, each -> each.now().weight());
    registering.gauge(MaestroMeter.PATH_WINDOW, this, each -> each.now().windowBytes());
    registering.gauge(MaestroMeter.PATH_INFLIGHT, this, each -> each.now().inFlightBytes());
    registering.timeGauge(MaestroMeter.PATH_RTT, this, each -> each.now().rttNs());
    registering.gauge(MaestroMeter.RING_DEPTH, this, each -> each.now().queuedChunks());
    for (PathReport.State state : PathReport.State.values()) {
      Tags tag = Tags.of("state", state.name().toLowerCase(Locale.ROOT));
      registering.gauge(MaestroMeter.PATH_STATE, tag, this, each -> each.now().states().of(state));
    }
  }

  private PathTotals now() {
    return totals.get();
  }

  /** A counter that is not known is not there: it would count as 0. */
  void marksKnown() {
    if (!marksKnown) {
      marksKnown = true;
      registering.counter(MaestroMeter.PATH_CNP, this, each -> each.now().marks());
    }
  }

  void remove() {
    registering.removeAll();
  }
}
