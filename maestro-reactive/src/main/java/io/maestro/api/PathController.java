package io.maestro.api;

import reactor.core.publisher.Flux;

/**
 * Steers the paths of connections from outside, such as an SDN controller that sees the whole
 * fabric. An application or a framework implements it; it is given to the builder of a Maestro.
 *
 * <p>A connection follows what it is told while the directives are fresh, and decides for itself
 * when the controller is lost: when the stream fails or completes, or when nothing has come for
 * {@link MaestroConfig.Control#silence()}. Then it subscribes again, after a pause that grows from
 * 0.1 to 2 s, and begins with nothing known: a controller says all it has to say to each
 * subscriber.
 */
@FunctionalInterface
public interface PathController {

  /**
   * The directives for one connection. Called for each connection, and again when its controller
   * was lost; on the configured scheduler, never on an event loop unless that was asked for. Must
   * not block.
   *
   * @param reports how the connection fares, several times a second until it ends; one subscriber,
   *     which misses the older ones when it is slow. Never fails
   * @return directives, requested one at a time; each counts as a sign of life. Cancelled when the
   *     connection ends or the stream is given up
   */
  Flux<PathDirective> directives(Flux<ControlReport> reports);
}
