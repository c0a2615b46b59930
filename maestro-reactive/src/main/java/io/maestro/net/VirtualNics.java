package io.maestro.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The local addresses of this machine that paths can be bound to.
 *
 * <p>All methods may be called from any thread. They read the kernel's tables or run commands, for
 * milliseconds: not for an event loop.
 */
public final class VirtualNics {
  /** macOS configures 127.0.0.1 only; Linux and Windows answer on all of 127.0.0.0/8. */
  private static final boolean LOOPBACK_ALIASES =
      !System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("mac");

  private static final int MAX_LOOPBACK_ALIASES = 254;

  private VirtualNics() {}

  /** Those that can reach other hosts now; see {@link NicFilter#USABLE}. */
  public static List<VirtualNic> discover() {
    return discover(NicFilter.USABLE);
  }

  /**
   * Those that a filter wants, in the order of the interfaces, IPv4 first. IPv6 addresses that the
   * kernel still checks for duplicates, or has found to be one, are left out: it refuses to bind to
   * them.
   */
  public static List<VirtualNic> discover(NicFilter filter) {
    return InterfaceState.select(Interfaces.read(), filter);
  }

  /**
   * Loopback addresses for as many paths: 127.0.0.1, 127.0.0.2, …; where the system has only the
   * first, that one as often as asked.
   *
   * @param count 1 to 254
   */
  public static List<InetAddress> loopback(int count) {
    if (count < 1 || count > MAX_LOOPBACK_ALIASES) {
      throw new IllegalArgumentException("count must be 1 to 254, was " + count);
    }
    return IntStream.range(0, count).mapToObj(VirtualNics::loopbackAlias).toList();
  }

  private static InetAddress loopbackAlias(int index) {
    try {
      int last = LOOPBACK_ALIASES ? 1 + index : 1;
      return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Adds addresses to an interface, each as a network of its own; see {@link #add(List)}.
   *
   * @param interfaceName such as {@code eth0}
   */
  public static AliasLease add(String interfaceName, List<InetAddress> addresses) {
    return add(addresses.stream().map(address -> Alias.of(interfaceName, address)).toList());
  }

  /**
   * Adds the aliases that are not there yet, with Linux's {@code ip addr}; this needs root or
   * CAP_NET_ADMIN only when one is missing. Either all are there afterwards or none was added.
   *
   * <p>What was added is removed when the last lease on it in this process is closed, and at the
   * latest when the JVM ends in order. What was there before is never removed. A process that is
   * killed leaves its aliases behind; the log names each that was added.
   *
   * @throws io.maestro.api.MaestroException.AddressSetupFailed with the reason, and the command to
   *     run by hand
   */
  public static AliasLease add(List<Alias> aliases) {
    return ThisProcess.REGISTRY.add(aliases);
  }

  /** Made when the first alias is asked for, so that discovery alone installs no hook. */
  private static final class ThisProcess {
    static final AliasRegistry REGISTRY =
        new AliasRegistry(new ProcessIpCommand(), Interfaces::read);

    static {
      Runtime.getRuntime()
          .addShutdownHook(new Thread(REGISTRY::releaseAll, "maestro removes its addresses"));
    }
  }
}
