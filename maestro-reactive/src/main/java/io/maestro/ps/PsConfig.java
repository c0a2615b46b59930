package io.maestro.ps;

import io.maestro.verbs.NanoClock;
import io.maestro.verbs.SystemClock;
import java.time.Duration;
import java.util.function.UnaryOperator;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The settings that the servers and the workers of one job share; made by {@link #with}. The first
 * three are compared when a worker joins.
 *
 * @param workers how many workers must have joined before the first step is applied, 1 to 65536
 * @param consistency how far workers may be apart
 * @param membership what the loss of a worker means
 * @param deadline of every call of a client, and of every wait on a server
 * @param memoryBytes most native memory that one server may take: two versions of its parameters,
 *     the optimizer's state, and one held gradient for each worker; keep it below the memory budget
 *     of the server's Maestro instance
 * @param scheduler where servers aggregate and where timeouts run; not an event loop
 * @param clock for latencies and deadlines
 */
public record PsConfig(
    int workers,
    Consistency consistency,
    Membership membership,
    Duration deadline,
    long memoryBytes,
    Scheduler scheduler,
    NanoClock clock) {

  /** What the loss of a worker means. */
  public enum Membership {
    /** The job fails: every pending and later call ends with an error that names the worker. */
    STRICT,
    /** The others go on without it, and workers may join at any time. */
    ELASTIC
  }

  /** Checks the values. */
  public PsConfig {
    if (workers < 1 || workers > 65536) {
      throw new IllegalArgumentException("workers must be 1 to 65536, was " + workers);
    }
    if (!deadline.isPositive() || deadline.toDays() > 365) {
      throw new IllegalArgumentException("deadline must be positive, was " + deadline);
    }
    if (memoryBytes <= 0) {
      throw new IllegalArgumentException("memoryBytes must be positive, was " + memoryBytes);
    }
  }

  /** The defaults, changed by the given steps. */
  public static PsConfig with(UnaryOperator<Builder> steps) {
    return steps.apply(new Builder()).build();
  }

  /** Collects settings; not thread-safe. */
  public static final class Builder {
    private int workers = 1;
    private Consistency consistency = Consistency.SYNCHRONOUS;
    private Membership membership = Membership.STRICT;
    private Duration deadline = Duration.ofMinutes(1);
    private long memoryBytes = Runtime.getRuntime().maxMemory();
    private Scheduler scheduler = Schedulers.parallel();
    private NanoClock clock = SystemClock.INSTANCE;

    private Builder() {}

    /** See {@link PsConfig#workers()}; 1 unless set. */
    public Builder workers(int value) {
      workers = value;
      return this;
    }

    /** See {@link PsConfig#consistency()}; synchronous unless set. */
    public Builder consistency(Consistency value) {
      consistency = value;
      return this;
    }

    /** See {@link PsConfig#membership()}; strict unless set. */
    public Builder membership(Membership value) {
      membership = value;
      return this;
    }

    /** See {@link PsConfig#deadline()}; one minute unless set. */
    public Builder deadline(Duration value) {
      deadline = value;
      return this;
    }

    /** See {@link PsConfig#memoryBytes()}; as much as the largest heap unless set. */
    public Builder memoryBytes(long value) {
      memoryBytes = value;
      return this;
    }

    /** See {@link PsConfig#scheduler()}; Reactor's parallel one unless set. */
    public Builder scheduler(Scheduler value) {
      scheduler = value;
      return this;
    }

    /** See {@link PsConfig#clock()}; the machine's unless set. */
    public Builder clock(NanoClock value) {
      clock = value;
      return this;
    }

    /** Checks and returns the settings. */
    public PsConfig build() {
      return new PsConfig(
          workers, consistency, membership, deadline, memoryBytes, scheduler, clock);
    }
  }
}
