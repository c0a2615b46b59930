package io.maestro.boot.actuate;

import io.maestro.api.Connection;
import io.maestro.api.ControlReport;
import io.maestro.api.PathController;
import io.maestro.api.PathDirective;
import io.maestro.api.PathReport;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import reactor.core.publisher.Flux;

/** Steers paths as operators say. Any thread; nothing blocks. */
final class OperatorSteering implements PathController {
  /** Conversations that have ended and may go on: a connection subscribes anew within seconds. */
  private static final int MOST_ENDED = 64;

  private final List<Conversation> running = new CopyOnWriteArrayList<>();
  private final Deque<Conversation> ended = new ArrayDeque<>();

  /** The two ends of a path: no two paths of a machine have the same. */
  private record Ends(InetSocketAddress local, InetSocketAddress remote) {
    static Set<Ends> of(List<PathReport> paths) {
      return paths.stream()
          .map(path -> new Ends(path.local(), path.remote()))
          .collect(Collectors.toSet());
    }
  }

  /** One connection, and what it was told. */
  private static final class Conversation {
    private final OperatorOrders orders;
    private volatile Set<Ends> ends;

    Conversation(OperatorOrders orders, List<PathReport> paths) {
      this.orders = orders;
      this.ends = Ends.of(paths);
    }

    List<PathDirective> answer(ControlReport report) {
      ends = Ends.of(report.paths());
      return orders.news();
    }

    boolean isOf(Set<Ends> others) {
      return others.stream().anyMatch(ends::contains);
    }
  }

  @Override
  public Flux<PathDirective> directives(Flux<ControlReport> reports) {
    return reports.switchOnFirst(
        (first, all) -> {
          ControlReport report = first.get();
          if (report == null) {
            return Flux.empty();
          }
          Conversation conversation = begin(report.paths());
          return all.concatMapIterable(conversation::answer, 1)
              .doFinally(signal -> end(conversation));
        });
  }

  /** A connection that had lost its controller, in a long pause perhaps, is told again. */
  private Conversation begin(List<PathReport> paths) {
    Conversation begun = new Conversation(takeBefore(Ends.of(paths)), paths);
    running.add(begun);
    return begun;
  }

  private OperatorOrders takeBefore(Set<Ends> ends) {
    synchronized (ended) {
      for (Iterator<Conversation> each = ended.iterator(); each.hasNext(); ) {
        Conversation before = each.next();
        if (before.isOf(ends)) {
          each.remove();
          before.orders.sayAgain();
          return before.orders;
        }
      }
    }
    return new OperatorOrders();
  }

  private void end(Conversation conversation) {
    running.remove(conversation);
    synchronized (ended) {
      if (ended.size() == MOST_ENDED) {
        ended.removeFirst();
      }
      ended.addLast(conversation);
    }
  }

  /** What a connection is told; empty while it does not listen, as for a moment after its start. */
  Optional<OperatorOrders> ordersFor(Connection connection) {
    Set<Ends> ends = Ends.of(connection.paths());
    return running.stream()
        .filter(conversation -> conversation.isOf(ends))
        .map(conversation -> conversation.orders)
        .findFirst();
  }
}
