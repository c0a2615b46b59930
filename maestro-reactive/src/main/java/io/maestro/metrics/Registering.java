package io.maestro.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Makes meters with the same tags, and takes them away together. Not thread-safe. */
final class Registering {
  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> meters = new ArrayList<>();

  Registering(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  /** Others with a further tag. */
  Registering with(String key, String value) {
    return new Registering(registry, tags.and(key, value));
  }

  MeterRegistry registry() {
    return registry;
  }

  Tags tags() {
    return tags;
  }

  <T> void counter(MaestroMeter meter, T source, ToDoubleFunction<T> value) {
    meters.add(
        FunctionCounter.builder(meter.id(), source, value)
            .baseUnit(meter.unit())
            .description(meter.meaning())
            .tags(tags)
            .register(registry));
  }

  <T> void gauge(MaestroMeter meter, T source, ToDoubleFunction<T> value) {
    gauge(meter, Tags.empty(), source, value);
  }

  <T> void gauge(MaestroMeter meter, Tags more, T source, ToDoubleFunction<T> value) {
    meters.add(
        Gauge.builder(meter.id(), source, value)
            .baseUnit(meter.unit())
            .description(meter.meaning())
            .tags(tags.and(more))
            .strongReference(true)
            .register(registry));
  }

  /** A gauge of nanoseconds. */
  <T> void timeGauge(MaestroMeter meter, T source, ToDoubleFunction<T> valueNs) {
    meters.add(
        TimeGauge.builder(meter.id(), source, TimeUnit.NANOSECONDS, valueNs)
            .description(meter.meaning())
            .tags(tags)
            .strongReference(true)
            .register(registry));
  }

  /** Takes over a meter that was made otherwise. */
  <M extends Meter> M own(M meter) {
    meters.add(meter);
    return meter;
  }

  void removeAll() {
    meters.forEach(registry::remove);
    meters.clear();
  }
}
