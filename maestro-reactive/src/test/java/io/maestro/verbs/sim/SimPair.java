package io.maestro.verbs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.Access;
import io.maestro.verbs.Completions;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.Listener;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.Signals;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Two connected queue pairs on a fabric, and WRITEs from the first to the second. */
final class SimPair implements AutoCloseable {
  static final InetAddress A = InetAddress.ofLiteral("10.0.0.1");
  static final InetAddress B = InetAddress.ofLiteral("10.0.0.2");
  private static final int DEPTH = 256;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

  /** Keeps what happens to one end. */
  static final class End implements QueuePairHandler {
    final List<Long> succeeded = new ArrayList<>();
    @Nullable QueuePair qp;
    boolean established;
    @Nullable VerbsException closed;
    Runnable whenCompleted = () -> {};

    @Override
    public void onCreated(QueuePair created) {
      qp = created;
    }

    @Override
    public void onEstablished(QueuePair same, ByteBuffer privateData) {
      established = true;
    }

    @Override
    public void onCompletions(QueuePair same, Completions completions) {
      for (int i = 0; i < completions.size(); i++) {
        if (completions.status(i) == WcStatus.SUCCESS) {
          succeeded.add(completions.wrId(i));
        }
      }
      whenCompleted.run();
    }

    @Override
    public void onClosed(VerbsException cause) {
      closed = cause;
    }
  }

  final SimFabric fabric;
  final End active = new End();
  final End passive = new End();
  final MemoryRegion here;
  final MemoryRegion there;
  private final Arena arena = Arena.ofShared();
  private final Device device;
  private final ProtectionDomain domain;

  SimPair(SimFabric fabric, int regionBytes) {
    this.fabric = fabric;
    device = fabric.provider().open(DeviceOptions.defaults());
    domain = device.allocateDomain();
    here = domain.register(arena.allocate(regionBytes), EnumSet.noneOf(Access.class));
    there = domain.register(arena.allocate(regionBytes), EnumSet.allOf(Access.class));
    connect(A, B, active, passive, LONG);
    assertThat(fabric.runUntil(() -> active.established && passive.established, LONG)).isTrue();
  }

  void connect(InetAddress from, InetAddress to, End client, End server, Duration timeout) {
    QpOptions options = new QpOptions(domain, device.loops().getFirst(), DEPTH, DEPTH, 4);
    Listener listener =
        device.listen(
            ListenOptions.at(new InetSocketAddress(to, 0)),
            request -> request.accept(options, NO_DATA, server));
    device.connect(
        new ConnectOptions(
            new InetSocketAddress(from, 0), listener.local(), options, NO_DATA, timeout.toNanos()),
        client);
  }

  /** Writes the same bytes that many times, keeping the queue full; returns the time it took. */
  long writeAll(int bytes, int times) {
    int[] posted = {0};
    Consumer<QueuePair> pump =
        qp -> {
          while (posted[0] < times && write(qp, posted[0], bytes)) {
            posted[0]++;
          }
        };
    active.succeeded.clear();
    active.whenCompleted = () -> pump.accept(qp());
    long startNs = fabric.nanoTime();
    onLoop(pump);
    assertThat(fabric.runUntil(() -> active.succeeded.size() == times, LONG)).isTrue();
    assertThat(active.succeeded).isSorted().doesNotHaveDuplicates();
    return fabric.nanoTime() - startNs;
  }

  boolean write(QueuePair qp, long id, int bytes) {
    return qp.postWrite(id, here, 0, bytes, there.remoteAddress(), there.rkey());
  }

  /** Does something on the loop in the next turn, and rings the doorbell. */
  void onLoop(Consumer<QueuePair> action) {
    qp().loop()
        .execute(
            () -> {
              action.accept(qp());
              qp().flush();
            });
  }

  Signals signals() {
    Signals[] signals = {Signals.NONE};
    onLoop(qp -> signals[0] = qp.signals());
    fabric.runFor(Duration.ofMillis(1));
    return signals[0];
  }

  EventLoop loop() {
    return qp().loop();
  }

  private QueuePair qp() {
    QueuePair mine = active.qp;
    if (mine == null) {
      throw new AssertionError("not connected: " + active.closed);
    }
    return mine;
  }

  @Override
  public void close() {
    device.close();
    domain.close();
    arena.close();
  }
}
