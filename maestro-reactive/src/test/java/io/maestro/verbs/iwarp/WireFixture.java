package io.maestro.verbs.iwarp;

import io.maestro.verbs.Access;
import io.maestro.verbs.Completions;
import io.maestro.verbs.ConnectionRequest;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.Listener;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A device that accepts everybody, with a region between guard bytes and posted receives. */
final class WireFixture implements AutoCloseable {
  static final int TARGET_BYTES = 1 << 16;
  static final int RECV_BYTES = 64;
  static final int RECEIVES = 4;
  private static final byte GUARD = 0x55;
  private static final int GUARD_BYTES = 1 << 16;

  final Arena arena = Arena.ofShared();
  final Device device;
  final ProtectionDomain domain;
  final MemorySegment guarded = arena.allocate(TARGET_BYTES + 2L * GUARD_BYTES).fill(GUARD);
  final MemorySegment memory = guarded.asSlice(GUARD_BYTES, TARGET_BYTES);
  final MemoryRegion target;
  final MemoryRegion receives;
  final Listener listener;
  final BlockingQueue<Accepted> accepted = new LinkedBlockingQueue<>();

  WireFixture() {
    this(ListenOptions.at(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0)));
  }

  WireFixture(ListenOptions options) {
    this(options, null);
  }

  WireFixture(ListenOptions options, @Nullable SSLContext tls) {
    device = new IwarpProvider().open(new DeviceOptions(1, false, false, tls));
    domain = device.allocateDomain();
    target = register(EnumSet.allOf(Access.class));
    receives = domain.register(arena.allocate(RECV_BYTES * RECEIVES), Set.of());
    memory.fill((byte) 0);
    listener = device.listen(options, this::accept);
  }

  MemoryRegion register(Set<Access> access) {
    return domain.register(memory, access);
  }

  QpOptions qp() {
    return new QpOptions(domain, device.loops().getFirst(), 8, RECEIVES, 2);
  }

  private void accept(ConnectionRequest request) {
    Accepted handler = new Accepted();
    request.accept(qp(), ByteBuffer.allocate(0), handler);
    accepted.add(handler);
  }

  Accepted nextAccepted() throws InterruptedException {
    Accepted next = accepted.poll(10, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("nobody connected");
    }
    return next;
  }

  boolean guardsAreUntouched() {
    return guarded.asSlice(0, GUARD_BYTES).mismatch(guards()) == -1
        && guarded.asSlice(GUARD_BYTES + TARGET_BYTES, GUARD_BYTES).mismatch(guards()) == -1;
  }

  private MemorySegment guards() {
    return MemorySegment.ofArray(new byte[GUARD_BYTES]).fill(GUARD);
  }

  @Override
  public void close() {
    device.close();
    arena.close();
  }

  /** A received message. */
  record Received(WcStatus status, int bytes) {}

  /** Records; posts its receives on creation. */
  final class Accepted implements QueuePairHandler {
    final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    final BlockingQueue<VerbsException> closed = new LinkedBlockingQueue<>();
    final BlockingQueue<QueuePair> established = new LinkedBlockingQueue<>();

    @Override
    public void onCreated(QueuePair qp) {
      boolean ofOtherDevice = !device.loops().contains(qp.loop());
      for (int i = ofOtherDevice ? RECEIVES : 0; i < RECEIVES; i++) {
        qp.postRecv(i, receives, (long) i * RECV_BYTES, RECV_BYTES);
      }
    }

    @Override
    public void onEstablished(QueuePair qp, ByteBuffer privateData) {
      established.add(qp);
    }

    @Override
    public void onCompletions(QueuePair qp, Completions completions) {
      for (int i = 0; i < completions.size(); i++) {
        received.add(new Received(completions.status(i), completions.byteLength(i)));
      }
    }

    @Override
    public void onClosed(VerbsException cause) {
      closed.add(cause);
    }

    VerbsException.Kind closedKind() throws InterruptedException {
      VerbsException cause = closed.poll(10, TimeUnit.SECONDS);
      if (cause == null) {
        throw new AssertionError("not closed");
      }
      return cause.kind();
    }

    Received nextReceived() throws InterruptedException {
      Received next = received.poll(10, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing received; closed: " + closed);
      }
      return next;
    }
  }
}
