package io.maestro.trainer;

import io.maestro.trainer.metrics.MetricsServer;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.sync.Equipment;
import io.maestro.trainer.sync.MaestroTransport;
import io.maestro.trainer.sync.Transport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the trainer is made of. */
@Configuration(proxyBeanMethods = false)
class TrainerConfiguration {

  @Bean
  Transport transport(TrainerOptions options, ObjectProvider<MetricsServer> metrics) {
    return transport(options, equipment(metrics.getIfAvailable()));
  }

  private static Equipment equipment(@Nullable MetricsServer metrics) {
    return metrics == null ? Equipment.NONE : metrics.equip(Equipment.NONE);
  }

  static Transport transport(TrainerOptions options, Equipment equipment) {
    return new MaestroTransport(
        options.job().paths(), options.job().elastic(), options.steering().controller(), equipment);
  }
}
