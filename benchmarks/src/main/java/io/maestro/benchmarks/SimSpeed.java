package io.maestro.benchmarks;

import io.maestro.verbs.Access;
import io.maestro.verbs.Completions;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.SystemClock;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;

/** How long the simulated fabric takes, in real time, to move bytes: {@code SimSpeed [GiB]}. */
public final class SimSpeed implements QueuePairHandler {
  private static final int CHUNK_BYTES = 50_000;
  private static final int REGION_BYTES = 64 << 20;
  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);

  private final MemoryRegion source;
  private final MemoryRegion target;
  private final long chunks;
  private long posted;
  private long completed;

  private SimSpeed(MemoryRegion source, MemoryRegion target, long chunks) {
    this.source = source;
    this.target = target;
    this.chunks = chunks;
  }

  /** Runs it, on a clean link and on one with 2 % loss and reordering. */
  public static void main(String[] arguments) {
    int gibibytes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2;
    LinkOptions clean = LinkOptions.defaults();
    LinkOptions bad = clean.withLoss(0.02).withReordering(Duration.ofNanos(20_000), 0.1);
    for (int round = 0; round < 3; round++) {
      measure("clean", clean, gibibytes);
      measure("2 % loss", bad, gibibytes);
    }
  }

  private static void measure(String name, LinkOptions link, int gibibytes) {
    SimFabric fabric = SimFabric.builder().link("10.0.0.1", "10.0.0.2", link).build();
    try (Arena arena = Arena.ofShared();
        Device device = fabric.provider().open(DeviceOptions.defaults())) {
      ProtectionDomain domain = device.allocateDomain();
      EnumSet<Access> all = EnumSet.allOf(Access.class);
      SimSpeed run =
          new SimSpeed(
              domain.register(arena.allocate(REGION_BYTES), all),
              domain.register(arena.allocate(REGION_BYTES), all),
              ((long) gibibytes << 30) / CHUNK_BYTES);
      run.connect(device, domain);
      long startNs = SystemClock.INSTANCE.nanoTime();
      fabric.runUntil(() -> run.completed == run.chunks, Duration.ofHours(1));
      double seconds = (SystemClock.INSTANCE.nanoTime() - startNs) / 1e9;
      System.out.printf(
          "%-9s %d GiB in chunks of %d: %.2f s real, %.2f s virtual, %.2f µs a chunk%n",
          name,
          gibibytes,
          CHUNK_BYTES,
          seconds,
          fabric.nanoTime() / 1e9,
          seconds * 1e6 / run.completed);
    }
  }

  private void connect(Device device, ProtectionDomain domain) {
    QpOptions options = new QpOptions(domain, device.loops().getFirst(), 256, 1, 0);
    InetSocketAddress local = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.1"), 0);
    InetSocketAddress remote = new InetSocketAddress(InetAddress.ofLiteral("10.0.0.2"), 7471);
    device.listen(
        ListenOptions.at(remote),
        request -> request.accept(options, NO_DATA, new SimSpeed(source, target, 0)));
    device.connect(new ConnectOptions(local, remote, options, NO_DATA, 1_000_000_000L), this);
  }

  private void post(QueuePair qp) {
    while (posted < chunks) {
      long offset = posted * CHUNK_BYTES % (REGION_BYTES - CHUNK_BYTES);
      long to = target.remoteAddress() + offset;
      if (!qp.postWrite(posted, source, offset, CHUNK_BYTES, to, target.rkey())) {
        return;
      }
      posted++;
    }
  }

  @Override
  public void onCreated(QueuePair qp) {}

  @Override
  public void onEstablished(QueuePair qp, ByteBuffer privateData) {
    post(qp);
  }

  @Override
  public void onCompletions(QueuePair qp, Completions completions) {
    completed += completions.size();
    post(qp);
  }

  @Override
  public void onClosed(VerbsException cause) {}
}
