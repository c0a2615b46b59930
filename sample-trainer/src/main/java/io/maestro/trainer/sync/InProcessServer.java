package io.maestro.trainer.sync;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/** A parameter server whose workers are threads of the same process. */
public final class InProcessServer {

  private final ParameterBoard board;

  /**
   * A server that owns the parameters.
   *
   * @param parameters the initial parameters; changed in place
   * @param elastic whether the others go on when a worker is lost
   */
  public InProcessServer(MemorySegment parameters, Sgd sgd, int workers, boolean elastic) {
    board = new ParameterBoard(parameters, sgd, workers, elastic);
  }

  /** Completes when every worker has left; see {@link SyncServer#finished()}. */
  public Mono<Void> finished() {
    return board.finished();
  }

  /** The side of one worker. */
  public GradientSync worker(int rank) {
    return new Worker(rank);
  }

  /** Ends a worker as if its process had died. */
  public void lose(int rank) {
    board.leave(rank, new SyncException("it was lost", null));
  }

  private final class Worker implements GradientSync {

    private final int rank;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();

    private Worker(int rank) {
      this.rank = rank;
    }

    @Override
    public Mono<Void> register(JobSpec job, MemorySegment parameters) {
      return Mono.defer(() -> board.join(rank)).then(pull(parameters));
    }

    @Override
    public Mono<Void> pushPull(long step, MemorySegment gradients, MemorySegment parameters) {
      return Mono.defer(
          () -> {
            sent.addAndGet(gradients.byteSize());
            return board.push(rank, step, gradients).then(pull(parameters));
          });
    }

    private Mono<Void> pull(MemorySegment parameters) {
      return Mono.fromRunnable(
          () -> {
            parameters.copyFrom(board.parameters());
            received.addAndGet(parameters.byteSize());
          });
    }

    @Override
    public SyncStats stats() {
      long bytes = sent.get() + received.get();
      var path = new SyncStats.PathBytes(0, bytes);
      return new SyncStats(sent.get(), received.get(), List.of(path), 0);
    }

    @Override
    public void close() {
      board.leave(rank, null);
    }
  }
}
