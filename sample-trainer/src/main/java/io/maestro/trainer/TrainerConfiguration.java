package io.maestro.trainer;

import io.maestro.MaestroBuilder;
import io.maestro.trainer.metrics.MetricsServer;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.sync.AllReduceTransport;
import io.maestro.trainer.sync.MaestroTransport;
import io.maestro.trainer.sync.Transport;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the trainer is made of. */
@Configuration(proxyBeanMethods = false)
class TrainerConfiguration {

  @Bean
  Transport transport(TrainerOptions options, ObjectProvider<MetricsServer> metrics) {
    MetricsServer server = metrics.getIfAvailable();
    return transport(options, server == null ? UnaryOperator.identity() : server::equip);
  }

  static Transport transport(TrainerOptions options, UnaryOperator<MaestroBuilder> parts) {
    TrainerOptions.Job job = options.job();
    var maestro =
        new MaestroTransport(job.paths(), job.elastic(), options.steering().controller(), parts);
    return job.allReduces() ? new AllReduceTransport(maestro) : maestro;
  }
}
