package io.maestro.trainer.role;

import io.maestro.trainer.options.Role;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.process.JavaCommand;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** The command lines of a run's processes. */
final class ChildCommand {

  /**
   * Three JVMs or more share the machine's cores, and their payload is outside the heap: the small
   * collector fits, and the limit of native memory, by default the size of the heap, does not. The
   * encoding is what the parent reads.
   */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "-XX:+UseSerialGC",
          "-Xmx512m",
          "-XX:MaxDirectMemorySize=1t",
          "-Dstdout.encoding=UTF-8",
          "-Dstderr.encoding=UTF-8",
          "-D" + LocalRole.SUPERVISED + "=true");

  private final Class<?> mainClass;
  private final TrainerOptions options;

  ChildCommand(Class<?> mainClass, TrainerOptions options) {
    this.mainClass = mainClass;
    this.options = options;
  }

  List<String> server(int index) {
    return command(Role.SERVER, index, List.of("--listen=127.0.0.1:0"));
  }

  /** A worker's, with the addresses of the servers, or of all workers, in their order. */
  List<String> worker(int rank, List<String> peers) {
    return command(Role.WORKER, rank, List.of("--peers=" + String.join(",", peers)));
  }

  private List<String> command(Role role, int index, List<String> place) {
    TrainerOptions.Job job = options.job();
    var arguments =
        new ArrayList<>(
            List.of(
                "--role=" + role.label(),
                "--rank=" + index,
                "--model=" + job.model(),
                "--workers=" + job.workers(),
                job.allReduces() ? "--sync=allreduce" : "--servers=" + job.servers(),
                "--paths=" + job.paths(),
                "--epochs=" + job.epochs(),
                "--batch=" + job.batch(),
                "--steps=" + job.steps(),
                "--seed=" + job.seed(),
                "--elastic=" + job.elastic()));
    arguments.addAll(place);
    InetSocketAddress controller = options.steering().controller();
    if (controller != null) {
      arguments.add(
          "--controller=%s:%d".formatted(controller.getHostString(), controller.getPort()));
    }
    if (options.page().isOn()) {
      // To a child it says that somebody looks.
      arguments.add("--page=0");
    }
    if (options.metrics().isOn()) {
      int before = role == Role.SERVER ? 0 : job.servers();
      arguments.add("--metrics=" + options.metrics().ofProcess(before + index).text());
    }
    arguments.addAll(options.others());
    return JavaCommand.of(mainClass, JVM_OPTIONS, arguments);
  }
}
