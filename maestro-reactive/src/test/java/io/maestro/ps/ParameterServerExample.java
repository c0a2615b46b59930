package io.maestro.ps;

import io.maestro.Maestro;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.Region;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.util.retry.Retry;

/** The example of docs/parameter-server.md, word for word. */
record ParameterServerExample(Maestro maestro, PsConfig config) {

  void serve(InetSocketAddress address) {
    // begin: server
    Binding binding = maestro.bind(address).block();
    ParameterServer server =
        ParameterServer.start(binding.connections(), config, ShardUpdate.sgd(0.1f, 0.9f));
    server.finished().block(); // when the last worker has left
    // end: server
  }

  void work(List<InetSocketAddress> addresses, int rank, Region parameters, Region gradient) {
    // begin: worker
    Retry untilTheyListen = Retry.fixedDelay(100, Duration.ofMillis(200));
    List<Connection> servers =
        Flux.fromIterable(addresses)
            .concatMap(address -> maestro.connect(address).retryWhen(untilTheyListen))
            .collectList()
            .block();
    List<TensorSpec> model = List.of(new TensorSpec("all", parameters.size() / Float.BYTES));
    ParameterClient client = ParameterClient.join(servers, rank, model, config).block();
    client.init(List.of(parameters)).block(); // all start from the first worker's
    for (long step = client.firstStep(); step <= 100; step++) {
      computeGradient(rank, step, parameters, gradient);
      client.exchange(step, List.of(gradient), List.of(parameters)).block();
    }
    client.leave().block();
    // end: worker
  }

  private static void computeGradient(int rank, long step, Region parameters, Region gradient) {
    Gradients.fill(Worker.read(parameters), rank, step, gradient);
  }
}
