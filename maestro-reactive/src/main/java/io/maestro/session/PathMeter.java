package io.maestro.session;

import io.maestro.verbs.Completions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Measures a queue pair of its own: round trips of small reads, then the rate of writes. A read is
 * answered after the writes before it are in place, so that reads between them tell how far the
 * writes have come. One loop.
 */
final class PathMeter implements QueuePairHandler {
  /** The memory that each side puts up: a chunk of the default size and some. */
  static final int SCRATCH_BYTES = 64 * 1024;

  /** Reads in a row for the round-trip time. */
  private static final int PINGS = 8;

  private static final int PING_BYTES = 8;
  private static final int WRITE_BYTES = 50 * 1024;
  private static final int WRITES_PER_FENCE = 4;
  private static final long PING = 1;
  private static final long WRITE = 2;
  private static final long FENCE = 3;

  private final EventLoop loop;
  private final long durationNs;
  private final Function<ByteBuffer, MeterTarget> answer;
  private final BiConsumer<@Nullable Result, @Nullable Throwable> onEnd;
  private final ProtectionDomain domain;
  private final Arena arena;
  private final MemoryRegion region;
  private final ArrayDeque<Long> fences = new ArrayDeque<>();
  private @Nullable MeterTarget target;
  private @Nullable QueuePair qp;
  private @Nullable Result result;
  private @Nullable Throwable failure;
  private boolean cancelled;
  private int pings;
  private long pingedNs;
  private long leastRttNs = Long.MAX_VALUE;
  private long startNs;
  private long written;
  private int unfenced;
  private long halfBytes = -1;
  private long halfNs;

  /** What was measured. */
  record Result(
      InetSocketAddress local, InetSocketAddress remote, long rttNs, long rate, long bytes) {}

  /**
   * A measurement that begins when the queue pair is established.
   *
   * @param answer reads and verifies the peer's private data
   * @param onEnd called once, on the loop, when nothing is left of it
   */
  @SuppressWarnings("MustBeClosedChecker") // closed by onClosed
  PathMeter(
      EventLoop loop,
      ProtectionDomain domain,
      long durationNs,
      Function<ByteBuffer, MeterTarget> answer,
      BiConsumer<@Nullable Result, @Nullable Throwable> onEnd) {
    this.loop = loop;
    this.domain = domain;
    this.durationNs = durationNs;
    this.answer = answer;
    this.onEnd = onEnd;
    arena = Arena.ofShared();
    region = domain.register(arena.allocate(SCRATCH_BYTES, 64), Set.of());
  }

  /** Gives the measurement up. Any thread. */
  void cancel() {
    Tasks.execute(loop, this::close);
  }

  private void close() {
    cancelled = true;
    if (qp != null) {
      qp.close();
    }
  }

  @Override
  public void onCreated(QueuePair created) {
    qp = created;
    if (cancelled) {
      created.close();
    }
  }

  @Override
  public void onEstablished(QueuePair pair, ByteBuffer privateData) {
    try {
      target = answer.apply(privateData);
      ping(pair, target);
    } catch (HandshakeException refused) {
      failure = refused;
      pair.close();
    }
  }

  private void ping(QueuePair pair, MeterTarget peer) {
    pingedNs = loop.nanoTime();
    pair.postRead(PING, region, WRITE_BYTES, PING_BYTES, peer.address(), peer.rkey());
    pair.flush();
  }

  @Override
  public void onCompletions(QueuePair pair, Completions completions) {
    MeterTarget peer = target;
    for (int i = 0; i < completions.size() && peer != null; i++) {
      if (completions.status(i) != WcStatus.SUCCESS) {
        return; // the queue pair is closing
      }
      if (completions.wrId(i) == PING) {
        onPong(pair, peer);
      } else if (completions.wrId(i) == FENCE) {
        onFence(pair);
      }
    }
    if (peer != null && pings == PINGS && result == null) {
      fill(pair, peer);
    }
  }

  private void onPong(QueuePair pair, MeterTarget peer) {
    long nowNs = loop.nanoTime();
    leastRttNs = Math.min(leastRttNs, nowNs - pingedNs);
    startNs = nowNs;
    if (++pings < PINGS) {
      ping(pair, peer);
    }
  }

  /** Posts as much as the queue takes. */
  private void fill(QueuePair pair, MeterTarget peer) {
    boolean posted = true;
    while (posted) {
      if (unfenced >= WRITES_PER_FENCE) {
        posted = pair.postRead(FENCE, region, WRITE_BYTES, PING_BYTES, peer.address(), peer.rkey());
        if (posted) {
          fences.addLast(written);
          unfenced = 0;
        }
      } else {
        posted = pair.postWrite(WRITE, region, 0, WRITE_BYTES, peer.address(), peer.rkey());
        written += posted ? WRITE_BYTES : 0;
        unfenced += posted ? 1 : 0;
      }
    }
    pair.flush();
  }

  private void onFence(QueuePair pair) {
    long nowNs = loop.nanoTime();
    long bytes = fences.removeFirst();
    long elapsedNs = nowNs - startNs;
    if (halfBytes < 0 && elapsedNs >= durationNs / 2) {
      halfBytes = bytes;
      halfNs = nowNs;
    } else if (elapsedNs >= durationNs && result == null) {
      double seconds = (nowNs - halfNs) / 1e9;
      long rate = Math.round((bytes - halfBytes) / seconds);
      result = new Result(pair.local(), pair.remote(), leastRttNs, rate, bytes);
      pair.close();
    }
  }

  @Override
  public void onClosed(VerbsException cause) {
    region.close();
    domain.close();
    arena.close();
    onEnd.accept(result, result != null ? null : failure == null ? cause : failure);
  }
}
