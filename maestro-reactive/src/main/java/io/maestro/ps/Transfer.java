package io.maestro.ps;

import io.maestro.api.Region;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One call over all shards: each shard is a request of its own, a bounded number at a time for each
 * server, in the same order on every worker, so that the workers meet at the first shards while the
 * later ones are still on their way.
 *
 * @param from the gradients or initial values to send, one region for each tensor
 * @param into where the values go, one region for each tensor
 */
record Transfer(Op op, long step, @Nullable List<Region> from, @Nullable List<Region> into) {

  /**
   * Checks the regions.
   *
   * @throws IllegalArgumentException when there is not one of the right size for each tensor
   */
  void requireSizes(List<TensorSpec> tensors) {
    requireSizes(tensors, from);
    requireSizes(tensors, into);
  }

  private void requireSizes(List<TensorSpec> tensors, @Nullable List<Region> regions) {
    if (regions != null && regions.size() != tensors.size()) {
      throw new IllegalArgumentException(
          "%s takes one region for each of %d tensors, got %d"
              .formatted(op, tensors.size(), regions.size()));
    }
    for (int i = 0; regions != null && i < tensors.size(); i++) {
      if (regions.get(i).size() != tensors.get(i).bytes()) {
        throw new IllegalArgumentException(
            "tensor %s has %d bytes, its region %d"
                .formatted(tensors.get(i).name(), tensors.get(i).bytes(), regions.get(i).size()));
      }
    }
  }

  /** Completes with the lowest version that was answered. */
  Mono<Long> over(Group group) {
    long deadlineNs = group.deadlineNs();
    return group
        .all(
            link ->
                Flux.fromIterable(group.plan().shardsOf(link.index()))
                    .flatMap(
                        shard -> one(group, link, shard, deadlineNs).materialize(),
                        ServerLink.WINDOW))
        .map(Header::step)
        .reduce(Math::min)
        .defaultIfEmpty(step);
  }

  private Mono<Header> one(Group group, ServerLink link, Shard shard, long deadlineNs) {
    return Mono.defer(
        () -> {
          Header header =
              group
                  .header(op)
                  .withStep(step)
                  .withShard(shard.id())
                  .withTimeoutMs(group.remainingMs(deadlineNs));
          Slice target = into == null ? null : Slice.of(shard, into.get(shard.tensor()));
          return link.call(header, payload(shard), target);
        });
  }

  private Supplier<Region> payload(Shard shard) {
    List<Region> source = from;
    return source == null
        ? WorkerLink.NOTHING::retain
        : () -> Slice.of(shard, source.get(shard.tensor())).open();
  }

  long bytes(List<TensorSpec> tensors) {
    return tensors.stream().mapToLong(TensorSpec::bytes).sum();
  }

  void retainAll() {
    forEachRegion(Region::retain);
  }

  void releaseAll() {
    forEachRegion(Region::release);
  }

  private void forEachRegion(Consumer<Region> action) {
    if (from != null) {
      from.forEach(action);
    }
    if (into != null) {
      into.forEach(action);
    }
  }
}
