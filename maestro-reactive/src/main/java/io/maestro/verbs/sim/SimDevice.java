package io.maestro.verbs.sim;

import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.ConnectionRequestHandler;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceLimits;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.Listener;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** A simulated device. */
final class SimDevice implements Device {
  static final DeviceLimits LIMITS = new DeviceLimits(1 << 30, 512, 1 << 16, 1 << 16, 1 << 10);

  private final Driver driver;
  private final Network network;
  private final List<SimLoop> loops;
  private final Set<SimListener> listeners = ConcurrentHashMap.newKeySet();
  private final List<SimQueuePair> queuePairs = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  SimDevice(Driver driver, Network network, DeviceOptions options) {
    this.driver = driver;
    this.network = network;
    loops = IntStream.range(0, options.loops()).mapToObj(i -> new SimLoop(driver)).toList();
  }

  SimLoop firstLoop() {
    return loops.getFirst();
  }

  @Override
  public DeviceLimits limits() {
    return LIMITS;
  }

  @Override
  public List<EventLoop> loops() {
    return List.copyOf(loops);
  }

  @Override
  public boolean hasVirtualTime() {
    return true;
  }

  @Override
  public ProtectionDomain allocateDomain() {
    requireOpen();
    return new SimDomain(this, network.keys());
  }

  private void requireOpen() {
    if (closed.get()) {
      throw new IllegalStateException("the device is closed");
    }
  }

  @Override
  public Listener listen(ListenOptions options, ConnectionRequestHandler handler) {
    requireOpen();
    SimListener listener = new SimListener(this, network, options.local(), handler);
    listeners.add(listener);
    return listener;
  }

  @Override
  public void connect(ConnectOptions options, QueuePairHandler handler) {
    SimLoop loop = check(options.qp(), options.privateData());
    Connector connector =
        new Connector(this, network, options, copy(options.privateData()), handler);
    loop.execute(() -> connector.start(loop));
  }

  /** Checks what a queue pair is made from; returns its loop. */
  SimLoop check(QpOptions qp, ByteBuffer privateData) {
    requireOpen();
    checkPrivateData(privateData);
    if (qp.sendDepth() > LIMITS.maxSendDepth()
        || qp.recvDepth() > LIMITS.maxRecvDepth()
        || qp.readDepth() > LIMITS.maxReadDepth()) {
      throw new IllegalArgumentException(qp + " exceeds the limits of the device: " + LIMITS);
    }
    if (!(qp.domain() instanceof SimDomain domain) || !equals(domain.device())) {
      throw new IllegalArgumentException("the protection domain is not of this device");
    }
    if (!(qp.loop() instanceof SimLoop loop) || !loops.contains(loop)) {
      throw new IllegalArgumentException("the loop is not of this device");
    }
    return loop;
  }

  static void checkPrivateData(ByteBuffer privateData) {
    if (privateData.remaining() > LIMITS.maxPrivateDataBytes()) {
      throw new IllegalArgumentException(
          "private data of %d bytes; at most %d are allowed"
              .formatted(privateData.remaining(), LIMITS.maxPrivateDataBytes()));
    }
  }

  static ByteBuffer copy(ByteBuffer data) {
    ByteBuffer copy = ByteBuffer.allocate(data.remaining());
    copy.put(data.duplicate()).flip();
    return copy.asReadOnlyBuffer();
  }

  /** On the driving thread. */
  void add(SimQueuePair qp) {
    queuePairs.removeIf(SimQueuePair::isOver);
    queuePairs.add(qp);
  }

  boolean isClosed() {
    return closed.get();
  }

  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      driver.exclusively(this::closeNow);
    }
  }

  private void closeNow() {
    listeners.forEach(SimListener::close);
    listeners.forEach(SimListener::refuseAll);
    for (SimLoop loop : loops) {
      Runnable action = () -> closeQueuePairs(loop);
      if (driver.isInAnyLoop()) {
        loop.endSoon(action);
      } else {
        loop.endNow(action);
      }
    }
  }

  private void closeQueuePairs(SimLoop loop) {
    for (SimQueuePair qp : List.copyOf(queuePairs)) {
      if (loop.equals(qp.loop())) {
        qp.endWith(new VerbsException(Kind.CLOSED, qp + ": the device was closed"));
      }
    }
  }
}
