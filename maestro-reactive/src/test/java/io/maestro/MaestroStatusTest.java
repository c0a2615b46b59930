package io.maestro;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroObserver;
import io.maestro.api.MaestroStatus;
import io.maestro.verbs.sim.SimFabric;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

/** What an observer is told of a whole instance. */
class MaestroStatusTest {
  private final List<String> entries = new ArrayList<>();

  private final MaestroObserver observer =
      new MaestroObserver() {
        @Override
        public void started(MaestroStatus maestro) {
          entries.add(
              "%s with %d connections and %d bytes"
                  .formatted(
                      maestro.provider(), maestro.connections().size(), maestro.leasedBytes()));
        }

        @Override
        public void stopped() {
          entries.add("stopped");
        }
      };

  @Test
  void anObserverIsToldOnceOfTheStartAndOnceOfTheEnd() {
    MaestroConfig config = MaestroConfig.with(b -> b.paths(2));
    SimFabric fabric = SimFabric.builder().address("10.0.0.1").build();
    Maestro maestro =
        Maestro.builder(config)
            .provider(fabric.provider())
            .delivery(Schedulers.immediate())
            .observer(observer)
            .create();
    assertThat(maestro.config()).isEqualTo(config);
    maestro.close();
    maestro.close();
    assertThat(entries).containsExactly("sim with 0 connections and 0 bytes", "stopped");
  }
}
