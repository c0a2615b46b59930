package io.maestro.bench.fabric;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.FabricCounters;
import io.maestro.testing.fabric.FabricOptions;
import io.maestro.testing.fabric.NodeProcess;
import io.maestro.verbs.SystemClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/** A fabric with a {@link Receiver} on host2, ready for senders on host1. */
final class Bed implements AutoCloseable {
  private static final int PORT = 7000;
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final Fabric fabric;
  private final NodeProcess receiver;

  private Bed(Fabric fabric, NodeProcess receiver) {
    this.fabric = fabric;
    this.receiver = receiver;
  }

  static Bed up(FabricOptions options) throws InterruptedException {
    Fabric fabric = Fabric.up(options);
    List<Object> arguments = new ArrayList<>(List.of(PORT));
    arguments.addAll(addresses(fabric, 2));
    NodeProcess receiver = fabric.startJava("host2", Receiver.class, arguments.toArray());
    receiver.awaitLine("^ready", LIMIT);
    return new Bed(fabric, receiver);
  }

  /**
   * How a sender works.
   *
   * @param routes how the paths are laid: {@code selected} or {@code ecmp}
   * @param mib size of a message
   * @param depth messages under way at once
   * @param seconds how long it goes on
   */
  record Sending(String routes, int paths, int mib, int depth, int seconds) {}

  private NodeProcess start(Sending sending) {
    List<Object> arguments =
        new ArrayList<>(
            List.of(
                sending.routes, sending.paths, sending.mib, sending.depth, sending.seconds, PORT));
    arguments.addAll(addresses(fabric, 1));
    arguments.add("-");
    arguments.addAll(addresses(fabric, 2));
    return fabric.startJava("host1", Sender.class, arguments.toArray());
  }

  Run send(Sending sending) throws InterruptedException {
    try (NodeProcess sender = start(sending)) {
      return Run.parse(sender.awaitSuccess(LIMIT));
    }
  }

  /** A sender that is at work, and when it began by the machine's monotonic clock. */
  record Started(NodeProcess process, long startNs) implements AutoCloseable {

    /** Milliseconds since it began. */
    double ms() {
      return (SystemClock.INSTANCE.nanoTime() - startNs) / 1e6;
    }

    /** Waits until that many milliseconds since it began. */
    void await(double ms) {
      Mono.delay(Duration.ofNanos((long) ((ms - ms()) * 1e6))).block(LIMIT);
    }

    Run result() throws InterruptedException {
      return Run.parse(process.awaitSuccess(LIMIT));
    }

    @Override
    public void close() {
      process.close();
    }
  }

  Started begin(Sending sending) throws InterruptedException {
    NodeProcess sender = start(sending);
    String line = sender.awaitLine("^started ", LIMIT);
    return new Started(sender, Long.parseLong(line.split(" ", -1)[1]));
  }

  /** How many spines carried at least a tenth of what went from leaf1 up since a moment. */
  int spinesUsed(FabricCounters since) {
    var bytes = fabric.counters().bytesFrom("leaf1", since);
    long total = bytes.values().stream().mapToLong(Long::longValue).sum();
    return (int) bytes.values().stream().filter(part -> part > total / 10).count();
  }

  Fabric fabric() {
    return fabric;
  }

  /**
   * What the receiver makes of the messages of a run. Senders number theirs from 1, so that each
   * run needs a mark.
   *
   * @param lost sent with success and not received with all bytes right
   * @param duplicated received more than once
   */
  record Verdict(int lost, int duplicated) {}

  int mark() {
    return receiver.output().size();
  }

  Verdict verdict(Run run, int mark) {
    List<String> output = receiver.output();
    List<String> right =
        output.subList(mark, output.size()).stream()
            .filter(line -> line.endsWith(" right"))
            .toList();
    List<Run.Sent> lost =
        run.messages().stream()
            .filter(sent -> !right.contains("message " + sent.stamp() + " right"))
            .toList();
    return new Verdict(lost.size(), right.size() - new HashSet<>(right).size());
  }

  private static List<String> addresses(Fabric fabric, int host) {
    return IntStream.rangeClosed(1, fabric.options().aliases())
        .mapToObj(alias -> fabric.address(host, alias).getHostAddress())
        .toList();
  }

  @Override
  public void close() {
    receiver.close();
    fabric.close();
  }
}
