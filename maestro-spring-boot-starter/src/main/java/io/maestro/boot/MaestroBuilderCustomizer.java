package io.maestro.boot;

import io.maestro.MaestroBuilder;

/**
 * Changes how the application's Maestro is put together, after its own parts have been given; beans
 * of it are called in order.
 */
@FunctionalInterface
public interface MaestroBuilderCustomizer {

  /**
   * Changes the builder. Called once, by the thread that starts the application.
   *
   * @param builder with the provider, planner, controller and breakers of the application
   */
  void customize(MaestroBuilder builder);
}
