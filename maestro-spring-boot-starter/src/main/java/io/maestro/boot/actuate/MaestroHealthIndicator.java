package io.maestro.boot.actuate;

import io.maestro.api.MaestroStatus;
import io.maestro.api.PathReport;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of a Maestro: {@code UP}, or {@code DEGRADED} with reasons. It works in both, and the
 * loss of a peer does not make this application one that should get no requests. Any thread; does
 * not block.
 */
public final class MaestroHealthIndicator implements HealthIndicator {
  /** It works, and something is not as it should be. */
  public static final Status DEGRADED =
      new Status("DEGRADED", "it works, and something is not as it should be");

  private final MaestroStatus maestro;

  /** Of one Maestro. */
  public MaestroHealthIndicator(MaestroStatus maestro) {
    this.maestro = maestro;
  }

  @Override
  public Health health() {
    List<String> reasons = Shortcomings.of(maestro);
    Health.Builder health = Health.status(reasons.isEmpty() ? Status.UP : DEGRADED);
    if (!reasons.isEmpty()) {
      health.withDetail("reasons", reasons);
    }
    List<PathReport> paths =
        maestro.connections().stream().flatMap(open -> open.paths().stream()).toList();
    return health
        .withDetail("provider", maestro.provider())
        .withDetail("connections", maestro.connections().size())
        .withDetail("paths", paths.size())
        .withDetail("pathsUp", paths.stream().filter(Shortcomings::isUp).count())
        .build();
  }
}
