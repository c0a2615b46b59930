package io.maestro.trainer.role;

import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.sync.JobSpec;
import io.maestro.trainer.sync.ServerOptions;
import io.maestro.trainer.sync.Shard;
import io.maestro.trainer.sync.SyncServer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Serves one shard until all workers have left. */
public final class ServerRole {

  private ServerRole() {}

  /**
   * Blocks until the run is over.
   *
   * @throws io.maestro.trainer.sync.SyncException when a worker is lost
   */
  public static void run(Context context) {
    TrainerOptions options = context.options();
    int index = options.place().rank();
    Task task = new Task(options.job());
    JobSpec spec = task.spec();
    Shard shard = spec.shard(index);
    var serverOptions =
        new ServerOptions(
            index, options.place().listen(), context.secret(), options.job().elastic());
    // Not closed: the transport may still read from it when the last worker has left.
    MemorySegment initial = task.initial(shard, Arena.ofAuto());
    try (SyncServer server =
        context.transport().serve(spec, serverOptions, initial, task.sgd(shard))) {
      context.listener().listening(server.address());
      server.finished().block();
    }
  }
}
