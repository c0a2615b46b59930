package io.maestro.trainer;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.sync.Equipment;
import io.maestro.trainer.sync.MaestroTransport;
import io.maestro.trainer.sync.Transport;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the trainer is made of. */
@Configuration(proxyBeanMethods = false)
class TrainerConfiguration {

  @Bean
  Transport transport(TrainerOptions options) {
    return transport(options, Equipment.NONE);
  }

  static Transport transport(TrainerOptions options, Equipment equipment) {
    return new MaestroTransport(
        options.job().paths(), options.job().elastic(), options.steering().controller(), equipment);
  }
}
