package io.maestro.verbs.iwarp;

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
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The loops and the keys of one open device. */
final class IwarpDevice implements Device {

  /**
   * A message may be 1 GiB, so that it lies in one window of its region. Private data is what RFC
   * 5044 allows, 512 bytes, without the four that RFC 6581 takes.
   */
  static final DeviceLimits LIMITS =
      new DeviceLimits(
          1 << 30,
          MpaFrame.MAX_PRIVATE_DATA_BYTES - MpaFrame.ENHANCED_BYTES,
          1 << 16,
          1 << 16,
          1 << 12);

  private final DeviceOptions options;
  private final @Nullable Tls tls;
  private final StagTable stags = new StagTable();
  private final List<IwarpLoop> loops;
  private final AtomicInteger nextLoop = new AtomicInteger();
  private volatile boolean closed;

  private IwarpDevice(DeviceOptions options, List<IwarpLoop> loops) {
    this.options = options;
    this.tls = options.tls() == null ? null : new Tls(options.tls());
    this.loops = loops;
  }

  static IwarpDevice open(DeviceOptions options) throws IOException {
    List<IwarpLoop> loops = new ArrayList<>();
    for (int i = 0; i < options.loops(); i++) {
      loops.add(new IwarpLoop(i, options.busySpin()));
    }
    loops.forEach(IwarpLoop::start);
    return new IwarpDevice(options, List.copyOf(loops));
  }

  StagTable stags() {
    return stags;
  }

  boolean checksum() {
    return options.checksum();
  }

  /** How connections are encrypted; null when they are not. */
  @Nullable Tls tls() {
    return tls;
  }

  boolean isClosed() {
    return closed;
  }

  VerbsException closedCause() {
    return new VerbsException(Kind.CLOSED, "the device is closed");
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
  public ProtectionDomain allocateDomain() {
    return new IwarpDomain(this);
  }

  @Override
  public Listener listen(ListenOptions listenOptions, ConnectionRequestHandler handler) {
    checkOpen();
    IwarpLoop loop = loops.get(Math.floorMod(nextLoop.getAndIncrement(), loops.size()));
    try {
      IwarpListener listener = new IwarpListener(this, loop, listenOptions, handler);
      listener.start();
      return listener;
    } catch (IOException | RuntimeException e) {
      throw Addresses.listenFailure(listenOptions.local(), e);
    }
  }

  @Override
  public void connect(ConnectOptions connect, QueuePairHandler handler) {
    check(connect.qp(), connect.privateData());
    checkOpen();
    Dialer dialer = new Dialer(connect, options.checksum(), tls, handler);
    try {
      connect
          .loop()
          .execute(
              () -> {
                if (closed) {
                  QueuePairEnd.tell(handler, closedCause());
                } else {
                  dialer.start();
                }
              });
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("the device is closed", e);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the device is closed");
    }
  }

  void check(QpOptions qp, ByteBuffer privateData) {
    checkPrivateData(privateData);
    if (!(qp.domain() instanceof IwarpDomain domain) || domain.device() != this) {
      throw new IllegalArgumentException("the protection domain is not of this device");
    }
    if (!(qp.loop() instanceof IwarpLoop loop) || !loops.contains(loop)) {
      throw new IllegalArgumentException("the event loop is not of this device");
    }
    if (qp.sendDepth() > LIMITS.maxSendDepth()
        || qp.recvDepth() > LIMITS.maxRecvDepth()
        || qp.readDepth() > LIMITS.maxReadDepth()) {
      throw new IllegalArgumentException("a depth of %s exceeds %s".formatted(qp, LIMITS));
    }
  }

  void checkPrivateData(ByteBuffer privateData) {
    if (privateData.remaining() > LIMITS.maxPrivateDataBytes()) {
      throw new IllegalArgumentException(
          "%d bytes of private data are more than %d"
              .formatted(privateData.remaining(), LIMITS.maxPrivateDataBytes()));
    }
  }

  @Override
  public void close() {
    closed = true;
    loops.forEach(IwarpLoop::stop);
    if (!IwarpLoop.inAnyLoop()) {
      loops.forEach(IwarpLoop::awaitEnd);
    }
  }
}
