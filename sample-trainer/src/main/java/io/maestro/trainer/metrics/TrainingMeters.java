package io.maestro.trainer.metrics;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.report.Interval;
import io.maestro.trainer.report.RunListener;
import io.maestro.trainer.report.WorkerResult;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The meters of one worker's training; what is not known yet is not there. */
final class TrainingMeters implements RunListener {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(200),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(2),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10)
  };

  private final MeterRegistry registry;
  private final Clock clock;
  private final int samplesPerStep;
  private final AtomicReference<@Nullable Double> loss = new AtomicReference<>();
  private final AtomicReference<@Nullable Double> accuracy = new AtomicReference<>();
  private final Counter steps;
  private final Timer duration;
  private @Nullable Counter samples;
  private long steppedNs;
  private boolean running;

  TrainingMeters(MeterRegistry registry, TrainerOptions.Job job) {
    this.registry = registry;
    this.clock = registry.config().clock();
    this.samplesPerStep = job.trains() ? job.batch() / job.workers() : 0;
    steps = counter(TrainerMeter.STEPS);
    duration =
        Timer.builder(TrainerMeter.STEP_DURATION.id())
            .description(TrainerMeter.STEP_DURATION.meaning())
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
  }

  private Counter counter(TrainerMeter meter) {
    return Counter.builder(meter.id()).description(meter.meaning()).register(registry);
  }

  private void show(
      TrainerMeter meter, AtomicReference<@Nullable Double> value, @Nullable Double news) {
    if (news != null && value.getAndSet(news) == null) {
      Gauge.builder(meter.id(), value, TrainingMeters::valueOf)
          .description(meter.meaning())
          .strongReference(true)
          .register(registry);
    }
  }

  private static double valueOf(AtomicReference<@Nullable Double> known) {
    Double value = known.get();
    return value == null ? Double.NaN : value;
  }

  @Override
  public void started() {
    running = true;
    steppedNs = clock.monotonicTime();
  }

  @Override
  public void stepped(long step, @Nullable Double newLoss) {
    long nowNs = clock.monotonicTime();
    if (running) {
      duration.record(nowNs - steppedNs, TimeUnit.NANOSECONDS);
    }
    running = true;
    steppedNs = nowNs;
    steps.increment();
    show(TrainerMeter.LOSS, loss, newLoss);
    if (samplesPerStep > 0) {
      Counter known = samples == null ? counter(TrainerMeter.SAMPLES) : samples;
      samples = known;
      known.increment(samplesPerStep);
    }
  }

  @Override
  public void ended(Interval interval) {
    show(TrainerMeter.ACCURACY, accuracy, interval.accuracy());
  }

  @Override
  public void listening(String address) {
    // A server has no training of its own.
  }

  @Override
  public void note(String text) {
    // Words are no figures.
  }

  @Override
  public void finished(WorkerResult result) {
    // The last step has told it all.
  }
}
