package io.maestro.verbs.sim;

import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** An outgoing connection until it stands. */
final class Connector {
  private final SimDevice device;
  private final Network network;
  private final ConnectOptions options;
  private final ByteBuffer privateData;
  private final QueuePairHandler handler;

  Connector(
      SimDevice device,
      Network network,
      ConnectOptions options,
      ByteBuffer privateData,
      QueuePairHandler handler) {
    this.device = device;
    this.network = network;
    this.options = options;
    this.privateData = privateData;
    this.handler = handler;
  }

  /** On the loop of the queue pair. */
  void start(SimLoop loop) {
    try {
      if (device.isClosed()) {
        throw new VerbsException(Kind.CLOSED, "the device was closed");
      }
      InetSocketAddress local = network.open(options.local(), options.remote());
      start(loop, new Transport(network, local, options.remote()));
    } catch (VerbsException e) {
      handler.onClosed(e);
    }
  }

  private void start(SimLoop loop, Transport transport) {
    SimQueuePair qp = new SimQueuePair(options.qp(), loop, handler, transport);
    device.add(qp);
    transport.attach(qp);
    if (!qp.create()) {
      return;
    }
    if (!transport.isLinkUp()) {
      transport.fail(Kind.UNREACHABLE, "the link is down");
      return;
    }
    loop.schedule(options.timeoutNs(), () -> timeOut(qp, transport));
    transport.greet(Unit.Kind.CONNECT, privateData);
  }

  private void timeOut(SimQueuePair qp, Transport transport) {
    if (!qp.isEstablished()) {
      long timeoutMs = options.timeoutNs() / 1_000_000;
      qp.endWith(
          new VerbsException(
              Kind.TIMED_OUT,
              transport + ": no answer within " + timeoutMs + " ms; is the peer overloaded?"));
    }
  }
}
