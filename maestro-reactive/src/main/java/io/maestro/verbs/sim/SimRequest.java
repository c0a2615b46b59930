package io.maestro.verbs.sim;

import io.maestro.verbs.ConnectionRequest;
import io.maestro.verbs.ConnectionRequestHandler;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A peer that waits for an answer. */
final class SimRequest implements ConnectionRequest {
  private static final Logger LOG = LoggerFactory.getLogger(SimRequest.class);

  private final SimDevice device;
  private final SimListener listener;
  private final Transport transport;
  private final ByteBuffer privateData;
  private final AtomicBoolean answered = new AtomicBoolean();

  SimRequest(SimDevice device, SimListener listener, Transport transport, ByteBuffer privateData) {
    this.device = device;
    this.listener = listener;
    this.transport = transport;
    this.privateData = privateData;
  }

  void handleWith(ConnectionRequestHandler handler) {
    try {
      handler.onRequest(this);
    } catch (RuntimeException | Error e) {
      device.firstLoop().threw(e);
      LOG.warn("The handler of a connection request failed; {} is rejected", transport, e);
      reject(ByteBuffer.allocate(0));
    }
  }

  @Override
  public InetSocketAddress local() {
    return transport.local();
  }

  @Override
  public InetSocketAddress remote() {
    return transport.remote();
  }

  @Override
  public ByteBuffer privateData() {
    return privateData.duplicate();
  }

  @Override
  public void accept(QpOptions options, ByteBuffer answer, QueuePairHandler handler) {
    SimLoop loop = device.check(options, answer);
    if (answered.getAndSet(true)) {
      return;
    }
    ByteBuffer copy = SimDevice.copy(answer);
    SimQueuePair qp = new SimQueuePair(options, loop, handler, transport);
    loop.execute(() -> start(qp, copy));
  }

  private void start(SimQueuePair qp, ByteBuffer answer) {
    listener.answered(transport);
    if (!transport.isEnded()) {
      device.add(qp);
      transport.attach(qp);
    }
    if (qp.create()) {
      qp.established(ByteBuffer.allocate(0).asReadOnlyBuffer());
      transport.greet(Unit.Kind.ACCEPT, answer);
    }
  }

  @Override
  public void reject(ByteBuffer answer) {
    SimDevice.checkPrivateData(answer);
    if (answered.getAndSet(true)) {
      return;
    }
    ByteBuffer copy = SimDevice.copy(answer);
    device.firstLoop().execute(() -> end(copy));
  }

  private void end(ByteBuffer answer) {
    listener.answered(transport);
    transport.end(
        new VerbsException(Kind.CLOSED, transport + ": this side rejected it"),
        Farewell.rejecting(answer));
  }
}
