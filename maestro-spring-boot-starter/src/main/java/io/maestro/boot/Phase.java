package io.maestro.boot;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import reactor.core.publisher.Mono;

/** Something that starts and stops with the application, and is given a deadline to stop. */
abstract class Phase implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(Phase.class);

  private final String name;
  private final int phase;
  private final Duration deadline;
  private volatile boolean running;

  /**
   * @param phase before higher and after lower ones at the start, the other way round at the stop
   * @param deadline for the stop
   */
  Phase(String name, int phase, Duration deadline) {
    this.name = name;
    this.phase = phase;
    this.deadline = deadline;
  }

  /** Returns when it has started. */
  abstract void begin();

  /** Completes when it has stopped. */
  abstract Mono<Void> end();

  @Override
  public final void start() {
    begin();
    running = true;
  }

  @Override
  public final void stop() {
    stop(() -> {});
  }

  @Override
  public final void stop(Runnable callback) {
    running = false;
    end()
        .timeout(deadline)
        .doOnError(late -> LOG.warn("{} did not stop in order: {}", name, late.getMessage()))
        .onErrorComplete()
        .doFinally(signal -> callback.run())
        .subscribe();
  }

  @Override
  public final boolean isRunning() {
    return running;
  }

  @Override
  public final int getPhase() {
    return phase;
  }
}
