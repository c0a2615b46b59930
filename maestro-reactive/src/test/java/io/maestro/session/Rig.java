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

  /** The state of the wire between a client and one of the addresses of a server. */
  enum Wire {
    GOOD,
    /** Nothing comes through until it thaws; then what was on the way does. */
    FROZEN,
    /** What is connected breaks, and nothing can be connected. */
    BROKEN
  }

  /** A further endpoint with changed settings, closed with the rig. */
  default Endpoint endpoint(UnaryOperator<MaestroConfig.Builder> settings) {
    return endpoint(settings, Endpoint.Policies.none());
  }

  /** A further endpoint with changed settings and policies, closed with the rig. */
  Endpoint endpoint(UnaryOperator<MaestroConfig.Builder> settings, Endpoint.Policies policies);

  /** Where clients reach a server at these addresses, each over a wire of its own that can fail. */
  List<InetSocketAddress> wires(List<InetSocketAddress> targets);

  /** Changes a wire, by its place in {@link #wires}. */
  void wire(int index, Wire state);

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
