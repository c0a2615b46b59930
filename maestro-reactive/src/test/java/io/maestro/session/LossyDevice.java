package io.maestro.session;

import io.maestro.verbs.Completions;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.ConnectionRequestHandler;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceLimits;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.Listener;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.List;

/** A device that loses the completions of work that was posted when a queue pair is reset. */
record LossyDevice(Device device) implements Device {

  @Override
  public DeviceLimits limits() {
    return device.limits();
  }

  @Override
  public List<EventLoop> loops() {
    return device.loops();
  }

  @Override
  public boolean hasVirtualTime() {
    return device.hasVirtualTime();
  }

  @Override
  public ProtectionDomain allocateDomain() {
    return device.allocateDomain();
  }

  @Override
  public Listener listen(ListenOptions options, ConnectionRequestHandler handler) {
    return device.listen(options, handler);
  }

  @Override
  public void connect(ConnectOptions options, QueuePairHandler handler) {
    device.connect(options, new Losing(handler));
  }

  @Override
  public void close() {
    device.close();
  }

  private record Losing(QueuePairHandler handler) implements QueuePairHandler {
    @Override
    public void onCreated(QueuePair qp) {
      handler.onCreated(qp);
    }

    @Override
    public void onEstablished(QueuePair qp, ByteBuffer privateData) {
      handler.onEstablished(qp, privateData);
    }

    @Override
    public void onCompletions(QueuePair qp, Completions completions) {
      if (completions.status(completions.size() - 1) == WcStatus.SUCCESS) {
        handler.onCompletions(qp, completions);
      }
    }

    @Override
    public void onClosed(VerbsException cause) {
      handler.onClosed(cause);
    }
  }
}
