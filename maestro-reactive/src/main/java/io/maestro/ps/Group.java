package io.maestro.ps;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException.ConnectionLost;
import io.maestro.api.MaestroException.DeadlineExceeded;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/** A worker's links to all its servers. */
final class Group {

  /** The servers answer a call's deadline with what is missing; this is for their answers' way. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final List<ServerLink> links = new ArrayList<>();
  private final int rank;
  private final ShardPlan plan;
  private final PsConfig config;

  Group(List<Connection> servers, int rank, ShardPlan plan, PsConfig config) {
    servers.forEach(server -> links.add(new ServerLink(server, links.size())));
    this.rank = rank;
    this.plan = plan;
    this.config = config;
  }

  ShardPlan plan() {
    return plan;
  }

  PsConfig config() {
    return config;
  }

  ServerLink first() {
    return links.getFirst();
  }

  Header header(Op op) {
    return Header.request(op, rank);
  }

  /**
   * Calls every server at once; the first failure cancels the others. Failures are values until one
   * is taken: connections that break together would have the others logged as dropped.
   */
  Flux<Header> all(Function<ServerLink, Flux<Signal<Header>>> call) {
    return Flux.fromIterable(links).flatMap(call, links.size()).dematerialize();
  }

  /** Tells every server that is there; one that is gone has nothing to be left. */
  private Mono<Void> leaveAll() {
    return Flux.fromIterable(links)
        .flatMapDelayError(
            link ->
                link.call(header(Op.LEAVE))
                    .onErrorResume(ConnectionLost.class, gone -> Mono.empty()),
            links.size(),
            links.size())
        .then();
  }

  /** Greets every server and enters at the first step that is open on all of them. */
  Mono<Long> join() {
    Flux<Header> hellos = all(link -> hello(link).materialize().flux());
    return Mono.defer(
        () -> {
          links.forEach(ServerLink::start);
          return limited("joining", highestStep(hellos).flatMap(complete -> enter(complete + 1)))
              .doOnError(failure -> abandon())
              .doOnCancel(this::abandon);
        });
  }

  private Mono<Header> hello(ServerLink link) {
    Header header = header(Op.HELLO).withArgument(plan.hash());
    return link.call(header, () -> Hello.of(config, plan, link.index()).encode(), null);
  }

  /** While the others go on, a step may be past on some server before all have been asked. */
  private Mono<Long> enter(long step) {
    Header header = header(Op.ENTER).withStep(step);
    Flux<Header> answers =
        all(
            link ->
                link.call(header).onErrorResume(TooLate.class, this::late).materialize().flux());
    return highestStep(answers)
        .flatMap(highest -> highest == step ? Mono.just(step) : enter(highest));
  }

  /** As if the server had proposed a step with room for one more round. */
  private Mono<Header> late(TooLate answer) {
    return Mono.just(header(Op.ANSWER).withStep(answer.complete() + 2));
  }

  private static Mono<Long> highestStep(Flux<Header> answers) {
    return answers.map(Header::step).reduce(0L, Math::max);
  }

  Mono<Void> leave() {
    Mono<Void> leave = limited("leaving", leaveAll());
    return Mono.using(() -> this, group -> leave, Group::close);
  }

  /** Tells the servers without waiting for them. */
  private void abandon() {
    leaveAll()
        .take(config.deadline(), config.scheduler())
        .doFinally(signal -> close())
        .subscribe(nothing -> {}, failure -> {});
  }

  private void close() {
    links.forEach(ServerLink::close);
  }

  /** When a call that starts now must have been answered, on the configured clock. */
  long deadlineNs() {
    return config.clock().nanoTime() + config.deadline().toNanos();
  }

  /** What is left until then, in milliseconds, at least 1. */
  int remainingMs(long deadlineNs) {
    long ms = Duration.ofNanos(deadlineNs - config.clock().nanoTime()).toMillis();
    return (int) Math.clamp(ms, 1L, Integer.MAX_VALUE);
  }

  /** Unlike the timeout operator, looks who has not answered before the call is cancelled. */
  <T> Mono<T> limited(String what, Mono<T> call) {
    Mono<T> tooLong =
        Mono.delay(config.deadline().plus(GRACE), config.scheduler())
            .flatMap(tick -> Mono.error(new DeadlineExceeded(silence(what))));
    return Mono.firstWithSignal(call, tooLong);
  }

  private String silence(String what) {
    String waiting =
        links.stream()
            .filter(ServerLink::isWaiting)
            .map(ServerLink::describe)
            .collect(Collectors.joining(", "));
    return "worker %d, %s: no answer within %s from %s; see whether these servers run"
        .formatted(rank, what, config.deadline(), waiting);
  }
}
