package io.maestro.trainer.fault;

import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.VerbsProvider;
import io.maestro.verbs.WireProtocol;
import java.util.Optional;

/**
 * A provider whose virtual NICs can be slowed and cut while they are in use. Without a fault it
 * costs one volatile read for each piece of work; payload is never copied.
 *
 * <p>A cut link looks like one that swallows everything: posted work stays posted, what arrives is
 * not heard, no queue pair ends, new ones cannot be connected, and where the provider has signals
 * of the network stack they say that nothing is acknowledged. A link that is restored before its
 * queue pairs were given up goes on where it was, as TCP does. While a fault lasts, up to a send
 * queue of work waits in front of the real one, and work that is refused for what it is may be
 * refused when it is started rather than when it is posted.
 */
public final class FaultyVerbsProvider implements VerbsProvider {

  private final VerbsProvider inner;
  private final FaultBoard board;

  /**
   * A provider in front of another.
   *
   * @param board says which virtual NICs fail
   */
  public FaultyVerbsProvider(VerbsProvider inner, FaultBoard board) {
    this.inner = inner;
    this.board = board;
  }

  @Override
  public String name() {
    return inner.name();
  }

  @Override
  public Optional<String> unavailable() {
    return inner.unavailable();
  }

  @Override
  public WireProtocol wire() {
    return inner.wire();
  }

  @Override
  public Device open(DeviceOptions options) {
    return new FaultyDevice(inner.open(options), board);
  }
}
