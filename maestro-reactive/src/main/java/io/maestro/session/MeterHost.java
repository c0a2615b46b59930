package io.maestro.session;

import io.maestro.verbs.Access;
import io.maestro.verbs.Completions;
import io.maestro.verbs.ConnectionRequest;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Takes part in the peer's measurements: gives each queue pair a piece of memory in a protection
 * domain of its own, where it can touch nothing else. Session's loop only.
 */
final class MeterHost {
  /** Few, as each holds memory; a peer measures its paths one after the other. */
  private static final int MAX_AT_ONCE = 4;

  private static final int READ_DEPTH = 4;
  private static final long LIMIT_NS = 30_000_000_000L;

  private final Endpoint endpoint;
  private final EventLoop loop;
  private final Set<Measured> open = new HashSet<>();

  MeterHost(Endpoint endpoint, EventLoop loop) {
    this.endpoint = endpoint;
    this.loop = loop;
  }

  /** Accepts a request that {@code keys} have verified as {@code meter}. */
  void accept(ConnectionRequest request, ByteBuffer meter, SessionKeys keys) {
    if (open.size() >= MAX_AT_ONCE) {
      Accepted.reject(request, "too many measurements at once");
      return;
    }
    Measured measured = new Measured();
    open.add(measured);
    MeterTarget target =
        new MeterTarget(
            measured.region.remoteAddress(), measured.region.rkey(), PathMeter.SCRATCH_BYTES);
    QpOptions options = new QpOptions(measured.domain, loop, 1, 1, READ_DEPTH);
    request.accept(options, keys.meterAccept(meter, target), measured);
  }

  /** The session has ended. */
  void end() {
    Set.copyOf(open).forEach(Measured::close);
  }

  /** One queue pair that is measured, with its memory. */
  private final class Measured implements QueuePairHandler {
    private final ProtectionDomain domain = endpoint.device().allocateDomain();
    private final Arena arena;
    private final MemoryRegion region;
    private final EventLoop.Timer limit = loop.schedule(LIMIT_NS, this::close);
    private @Nullable QueuePair qp;
    private boolean ended;

    @SuppressWarnings("MustBeClosedChecker") // closed by onClosed
    Measured() {
      arena = Arena.ofShared();
      region =
          domain.register(
              arena.allocate(PathMeter.SCRATCH_BYTES, 64),
              EnumSet.of(Access.REMOTE_READ, Access.REMOTE_WRITE));
    }

    void close() {
      ended = true;
      if (qp != null) {
        qp.close();
      }
    }

    @Override
    public void onCreated(QueuePair created) {
      qp = created;
      if (ended) {
        created.close();
      }
    }

    @Override
    public void onEstablished(QueuePair established, ByteBuffer privateData) {}

    @Override
    public void onCompletions(QueuePair pair, Completions completions) {}

    @Override
    public void onClosed(VerbsException cause) {
      limit.cancel();
      open.remove(this);
      region.close();
      domain.close();
      arena.close();
    }
  }
}
