package io.maestro.verbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.maestro.verbs.Access;
import io.maestro.verbs.Completions;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Moving chunks allocates nothing of ours, on neither side. The JDK's sockets do: two objects, 40
 * bytes, for each buffer over a {@link java.lang.foreign.MemorySegment} that is read or written, by
 * which its arena cannot be closed meanwhile.
 */
class SteadyStateTest {
  private static final int CHUNK_BYTES = 51_200;
  private static final int JDK_BYTES = 40;
  private static final int WARM_UP = 40_000;
  private static final int MEASURED = 40_000;
  private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void chunksAllocateNoMoreThanTheJdksGuardOfTheirMemory(boolean checksum)
      throws InterruptedException {
    try (WireFixture to = new WireFixture();
        Arena arena = Arena.ofShared();
        Device from = new IwarpProvider().open(new DeviceOptions(1, checksum, false))) {
      ProtectionDomain domain = from.allocateDomain();
      MemoryRegion source = domain.register(arena.allocate(1 << 20), EnumSet.allOf(Access.class));
      Flood flood = new Flood(source, to.target);
      from.connect(
          new ConnectOptions(
              new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0),
              to.listener.local(),
              new QpOptions(domain, from.loops().getFirst(), 32, 1, 1),
              NO_DATA,
              TimeUnit.SECONDS.toNanos(10)),
          flood);
      assertThat(flood.warm.await(60, TimeUnit.SECONDS)).isTrue();
      long before = allocatedByLoops();
      assertThat(flood.done.await(60, TimeUnit.SECONDS)).isTrue();
      long perChunk = (allocatedByLoops() - before) / MEASURED;
      // One write, and a read or a few where the socket's buffer cuts the chunk.
      assertThat(perChunk).as("bytes allocated per chunk").isLessThan(5 * JDK_BYTES);
    }
  }

  private static long allocatedByLoops() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("maestro-iwarp-"))
        .mapToLong(thread -> THREADS.getThreadAllocatedBytes(thread.threadId()))
        .filter(bytes -> bytes > 0)
        .sum();
  }

  /** Keeps the queue full. */
  private static final class Flood implements QueuePairHandler {
    private final CountDownLatch warm = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private final MemoryRegion source;
    private final MemoryRegion target;
    private int completed;

    Flood(MemoryRegion source, MemoryRegion target) {
      this.source = source;
      this.target = target;
    }

    @Override
    public void onCreated(QueuePair qp) {}

    @Override
    public void onEstablished(QueuePair qp, ByteBuffer privateData) {
      post(qp);
    }

    private void post(QueuePair qp) {
      boolean posted = true;
      while (posted && completed < WARM_UP + MEASURED) {
        posted = qp.postWrite(1, source, 0, CHUNK_BYTES, target.remoteAddress(), target.rkey());
      }
    }

    @Override
    public void onCompletions(QueuePair qp, Completions completions) {
      completed += completions.size();
      if (completed >= WARM_UP && warm.getCount() > 0) {
        warm.countDown();
      }
      if (completed >= WARM_UP + MEASURED && done.getCount() > 0) {
        done.countDown();
      }
      post(qp);
    }

    @Override
    public void onClosed(VerbsException cause) {}
  }
}
