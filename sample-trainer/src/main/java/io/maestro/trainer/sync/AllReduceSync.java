package io.maestro.trainer.sync;

import io.maestro.Maestro;
import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import io.maestro.collective.AddressList;
import io.maestro.collective.Communicator;
import io.maestro.collective.ElementType;
import io.maestro.collective.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A worker that averages gradients with all others and makes each step itself. All get the same
 * bits, so their parameters stay the same.
 */
final class AllReduceSync implements GradientSync {
  private static final Duration SOON = Duration.ofSeconds(10);

  private final int rank;
  private final List<InetSocketAddress> peers;
  private final Maestro maestro;
  private final Sgd sgd;
  private final AtomicLong movedBytes = new AtomicLong();
  private volatile @Nullable Communicator communicator;

  /**
   * @param peers where each worker listens, this one too
   */
  AllReduceSync(int rank, List<InetSocketAddress> peers, Maestro maestro, Sgd sgd) {
    this.rank = rank;
    this.peers = List.copyOf(peers);
    this.maestro = maestro;
    this.sgd = sgd;
  }

  @Override
  public Mono<Void> register(JobSpec job, MemorySegment parameters) {
    List<List<InetSocketAddress>> addresses = peers.stream().map(List::of).toList();
    return maestro
        .bind(peers.get(rank))
        .map(binding -> AddressList.of(rank, addresses, binding, maestro::connect))
        .map(list -> list.within(MaestroTransport.PATIENCE, Schedulers.parallel()))
        .flatMap(list -> Communicator.form(list, MaestroTransport.PATIENCE, Schedulers.parallel()))
        .doOnNext(formed -> communicator = formed)
        .flatMap(formed -> agree(formed, job).then(start(formed, parameters)))
        .onErrorMap(MaestroException.class, MaestroTransport::failure);
  }

  /** Each worker sees what all others were told to do. */
  private Mono<Void> agree(Communicator formed, JobSpec job) {
    return Mono.using(
        () -> Region.allocate((long) Long.BYTES * formed.size()),
        jobs -> {
          long mine = job.describe().hashCode();
          jobs.segment().setAtIndex(ValueLayout.JAVA_LONG, rank, mine);
          return formed
              .allGather(jobs, ElementType.INT64)
              .then(Mono.fromRunnable(() -> check(jobs.segment(), job)));
        },
        Region::close);
  }

  private void check(MemorySegment jobs, JobSpec job) {
    long mine = jobs.getAtIndex(ValueLayout.JAVA_LONG, rank);
    for (int other = 0; other < peers.size(); other++) {
      if (jobs.getAtIndex(ValueLayout.JAVA_LONG, other) != mine) {
        throw new SyncException(
            "worker %d has another job; this worker's job: %s".formatted(other, job.describe()),
            null);
      }
    }
  }

  private static Mono<Void> start(Communicator formed, MemorySegment parameters) {
    return Mono.using(
        () -> Region.wrap(parameters), region -> formed.broadcast(0, region), Region::close);
  }

  @Override
  public Mono<Void> pushPull(long step, MemorySegment gradients, MemorySegment parameters) {
    Communicator formed = communicator;
    if (formed == null) {
      return Mono.error(new IllegalStateException("register first"));
    }
    return Mono.using(
            () -> Region.wrap(gradients),
            region -> formed.allReduce(region, ElementType.FLOAT32, ReduceOp.AVG),
            Region::close)
        .then(
            Mono.<Void>fromRunnable(
                () -> {
                  int others = formed.size() - 1;
                  movedBytes.addAndGet(2 * gradients.byteSize() * others / formed.size());
                  sgd.step(parameters, List.of(gradients));
                }))
        .onErrorMap(MaestroException.class, MaestroTransport::failure);
  }

  @Override
  public boolean overwritesGradients() {
    return true;
  }

  @Override
  public SyncStats stats() {
    long bytes = movedBytes.get();
    return MaestroTransport.stats(maestro.connections(), bytes, bytes);
  }

  @Override
  public void close() {
    Communicator formed = communicator;
    Mono<Void> left = formed == null ? Mono.empty() : formed.leave();
    left.onErrorComplete().timeout(SOON, Mono.empty()).block(SOON.multipliedBy(2));
    maestro.close();
  }
}
