package io.maestro.verbs.iwarp;

import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import javax.net.ssl.SSLException;

/** Families of addresses, and what the system's errors about addresses mean. */
final class Addresses {
  private Addresses() {}

  static ProtocolFamily family(InetSocketAddress address) {
    return address.getAddress() instanceof Inet6Address
        ? StandardProtocolFamily.INET6
        : StandardProtocolFamily.INET;
  }

  /** Why listening failed. */
  static VerbsException listenFailure(InetSocketAddress local, Exception e) {
    boolean inUse = mentions(e, "in use");
    String cure =
        inUse
            ? "another socket has this port: choose another, or 0"
            : "use an address of this machine (ip address show)";
    Kind kind = inUse ? Kind.ADDRESS_IN_USE : Kind.ADDRESS_UNAVAILABLE;
    return new VerbsException(
        kind, "cannot listen on %s: %s; %s".formatted(local, e.getMessage(), cure), e);
  }

  /** Why connecting failed. */
  static VerbsException connectFailure(
      InetSocketAddress local, InetSocketAddress remote, Exception e) {
    Kind kind = kindOf(e);
    return new VerbsException(
        kind,
        "cannot connect %s to %s: %s; %s".formatted(local, remote, describe(e), cure(kind)),
        e);
  }

  private static Kind kindOf(Exception e) {
    if (e instanceof SSLException) {
      return Kind.PROTOCOL;
    }
    if (mentions(e, "refused")) {
      return Kind.REFUSED;
    }
    if (mentions(e, "in use") || isTakenTuple(e)) {
      return Kind.ADDRESS_IN_USE;
    }
    if (e instanceof BindException || e instanceof UnsupportedAddressTypeException) {
      return Kind.ADDRESS_UNAVAILABLE;
    }
    if (e instanceof ConnectException && mentions(e, "timed out")) {
      return Kind.TIMED_OUT;
    }
    boolean noWay =
        e instanceof NoRouteToHostException
            || e instanceof UnresolvedAddressException
            || mentions(e, "unreachable")
            || mentions(e, "Invalid argument")
            || mentions(e, "permitted");
    return noWay ? Kind.UNREACHABLE : Kind.CONNECTION_LOST;
  }

  /** The 5-tuple is connected already: EADDRNOTAVAIL from connect, not from bind. */
  private static boolean isTakenTuple(Exception e) {
    return !(e instanceof BindException) && mentions(e, "assign requested address");
  }

  private static String cure(Kind kind) {
    return switch (kind) {
      case REFUSED -> "start the peer, or correct the port";
      case ADDRESS_IN_USE -> "choose another local port, or 0";
      case ADDRESS_UNAVAILABLE -> "use a local address of this machine and of the peer's family";
      case TIMED_OUT -> "check the peer and the firewalls between";
      case UNREACHABLE -> "check the route from this local address (ip route get)";
      case PROTOCOL ->
          "with TLS each side needs a certificate that the other's trust store vouches for";
      case CONNECTION_LOST -> "check the peer's log, whether it uses TLS too, and the network";
      default -> "see the cause";
    };
  }

  private static String describe(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static boolean mentions(Exception e, String part) {
    return e instanceof IOException && e.getMessage() != null && e.getMessage().contains(part);
  }
}
