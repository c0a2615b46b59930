package io.maestro.net;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Aliases that are there at least until this is closed. Any thread; closing blocks while commands
 * run.
 */
public final class AliasLease implements AutoCloseable {
  private final List<Alias> aliases;
  private final List<Alias> held;
  private final AliasRegistry registry;
  private final AtomicBoolean closed = new AtomicBoolean();

  AliasLease(List<Alias> aliases, List<Alias> held, AliasRegistry registry) {
    this.aliases = List.copyOf(aliases);
    this.held = List.copyOf(held);
    this.registry = registry;
  }

  /** All that were asked for. */
  public List<InetAddress> addresses() {
    return aliases.stream().map(Alias::address).toList();
  }

  /** Those that this process added: what was there before is not among them. */
  public List<Alias> added() {
    return held;
  }

  /**
   * Removes what was added, unless another lease of this process still holds it. Idempotent.
   *
   * @throws io.maestro.api.MaestroException.AddressSetupFailed when one cannot be removed; the
   *     others are
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      registry.release(held);
    }
  }
}
