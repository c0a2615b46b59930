package io.maestro.boot;

import io.maestro.api.MaestroConfig;

/** Changes the settings after the properties have been applied; beans of it are called in order. */
@FunctionalInterface
public interface MaestroConfigCustomizer {

  /**
   * Changes the settings. Called once, by the thread that starts the application.
   *
   * @param settings what the properties have made
   */
  void customize(MaestroConfig.Builder settings);
}
