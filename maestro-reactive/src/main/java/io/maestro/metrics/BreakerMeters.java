package io.maestro.metrics;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedCircuitBreakerMetricsPublisher;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resilience4j's own meters, {@code resilience4j.circuitbreaker.*}, of the breakers of paths, under
 * names that come back: {@code PEER path N} and not the breaker's own, which a number makes unique
 * to its connection. A second connection with the same peer gets {@code #2} at the end, and so on.
 *
 * <p>Breakers that are not those of paths are left alone: whoever has them binds them. Bind this to
 * a registry of breakers before it is given to Maestro, and once. Any thread.
 */
public final class BreakerMeters implements AutoCloseable {
  private static final Pattern NAME = Pattern.compile("maestro-\\d+ (.*) path (\\d+)");

  private final TaggedCircuitBreakerMetricsPublisher publisher;
  private final MeterOptions options;
  private final int most;
  private final Map<String, CircuitBreaker> bound = new HashMap<>();
  private final Set<String> taken = new HashSet<>();
  private boolean closed;

  private BreakerMeters(MeterRegistry registry, MeterOptions options) {
    this.publisher = new TaggedCircuitBreakerMetricsPublisher(registry);
    this.options = options;
    this.most = Math.multiplyExact(options.maxPeers(), options.maxPaths());
  }

  /**
   * Registers the meters of each path's breaker while it is in the registry.
   *
   * @param options at most {@code maxPeers × maxPaths} breakers have meters at a time
   */
  public static BreakerMeters bind(
      CircuitBreakerRegistry breakers, MeterRegistry registry, MeterOptions options) {
    BreakerMeters meters = new BreakerMeters(registry, options);
    breakers
        .getEventPublisher()
        .onEntryAdded(event -> meters.added(event.getAddedEntry()))
        .onEntryRemoved(event -> meters.removed(event.getRemovedEntry()));
    breakers.getAllCircuitBreakers().forEach(meters::added);
    return meters;
  }

  private synchronized void added(CircuitBreaker breaker) {
    Matcher name = NAME.matcher(breaker.getName());
    if (closed || bound.size() >= most || bound.containsKey(breaker.getName()) || !name.matches()) {
      return;
    }
    String path = "%s path %s".formatted(options.peerTag().apply(name.group(1)), name.group(2));
    String tag = path;
    for (int number = 2; !taken.add(tag); number++) {
      tag = "%s #%d".formatted(path, number);
    }
    CircuitBreaker renamed = RenamedBreaker.of(breaker, tag);
    bound.put(breaker.getName(), renamed);
    publisher.publishMetrics(renamed);
  }

  private synchronized void removed(CircuitBreaker breaker) {
    CircuitBreaker renamed = bound.remove(breaker.getName());
    if (renamed != null) {
      taken.remove(renamed.getName());
      publisher.removeMetrics(renamed);
    }
  }

  /** Takes the meters away. Idempotent. */
  @Override
  public synchronized void close() {
    closed = true;
    bound.values().forEach(publisher::removeMetrics);
    bound.clear();
    taken.clear();
  }
}
