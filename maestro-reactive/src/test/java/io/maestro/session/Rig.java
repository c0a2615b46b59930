package io.maestro.session;

import io.maestro.api.MaestroConfig;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** Two endpoints on one provider, and the way to wait on it. */
interface Rig extends AutoCloseable {

  /** A further endpoint with changed settings, closed with the rig. */
  Endpoint endpoint(UnaryOperator<MaestroConfig.Builder> settings);

  /** Where a server binds, one address for each of its virtual NICs, port 0. */
  List<InetSocketAddress> addresses();

  /** Everything that a publisher emits until it completes; fails after the time has passed. */
  <T> List<T> all(Publisher<T> source, Duration limit);

  /** Lets work go on until the condition holds; fails after the time has passed. */
  void until(java.util.function.BooleanSupplier condition, Duration limit);

  /** The only element of a publisher, or null when it is empty. */
  default <T> T one(Publisher<T> source) {
    List<T> all = all(source, Duration.ofSeconds(60));
    return all.isEmpty() ? null : all.getFirst();
  }

  /** The first element of a publisher. */
  default <T> T first(Flux<T> source) {
    return one(source.take(1));
  }

  @Override
  void close();
}
