package io.maestro.metrics;

import io.maestro.api.MaestroObserver.Finish;
import io.maestro.api.MaestroObserver.Outcome;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

/** The meters of the messages in one direction. Any thread. */
final class MessageMeters {
  private static final long[] STEPS = {1, 2, 5};
  private static final long LEAST_NS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long MOST_NS = TimeUnit.MINUTES.toNanos(1);

  private final Map<Outcome, Ended> ended = new EnumMap<>(Outcome.class);
  private final AtomicInteger active = new AtomicInteger();
  private final Clock clock;

  private record Ended(Timer duration, DistributionSummary bytes) {}

  /** Registers them, so that the first message of an outcome is seen as a change. */
  MessageMeters(Registering all, String direction) {
    Registering registering = all.with("direction", direction);
    clock = all.registry().config().clock();
    all.gauge(
        MaestroMeter.MESSAGE_ACTIVE, Tags.of("direction", direction), active, AtomicInteger::get);
    for (Outcome outcome : Outcome.values()) {
      String tag = outcome.name().toLowerCase(Locale.ROOT);
      Registering of = registering.with("outcome", tag);
      ended.put(outcome, new Ended(all.own(duration(of)), all.own(bytes(of))));
    }
  }

  private static Timer duration(Registering registering) {
    return Timer.builder(MaestroMeter.MESSAGE_DURATION.id())
        .description(MaestroMeter.MESSAGE_DURATION.meaning())
        .tags(registering.tags())
        .serviceLevelObjectives(buckets())
        .register(registering.registry());
  }

  private static DistributionSummary bytes(Registering registering) {
    return DistributionSummary.builder(MaestroMeter.MESSAGE_BYTES.id())
        .baseUnit(MaestroMeter.MESSAGE_BYTES.unit())
        .description(MaestroMeter.MESSAGE_BYTES.meaning())
        .tags(registering.tags())
        .register(registering.registry());
  }

  /** 50 µs to one minute in steps of 1, 2, 5: enough for percentiles at any of these. */
  private static Duration[] buckets() {
    return LongStream.iterate(1_000, decade -> decade <= MOST_NS, decade -> decade * 10)
        .flatMap(decade -> LongStream.of(STEPS).map(step -> step * decade))
        .filter(ns -> ns >= LEAST_NS && ns < MOST_NS)
        .mapToObj(Duration::ofNanos)
        .toArray(Duration[]::new);
  }

  Finish started(long bytes) {
    long startNs = clock.monotonicTime();
    active.incrementAndGet();
    return (outcome, failure) -> {
      active.decrementAndGet();
      Ended meters = ended.get(outcome);
      if (meters != null) {
        meters.duration.record(clock.monotonicTime() - startNs, TimeUnit.NANOSECONDS);
        meters.bytes.record((double) bytes);
      }
    };
  }
}
