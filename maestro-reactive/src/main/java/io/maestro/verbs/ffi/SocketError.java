package io.maestro.verbs.ffi;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a socket's error queue ({@code struct sock_extended_err}).
 *
 * @param errno what the error means to the socket
 * @param origin who noticed it: {@link #ORIGIN_ICMP}, {@link #ORIGIN_ICMP6} or another
 * @param type the ICMP type
 * @param code the ICMP code
 * @param offender the node that sent the ICMP message, null when it did not say
 * @param payload the beginning of the packet that caused it, as far as the socket's kind shows it
 */
public record SocketError(
    int errno, int origin, int type, int code, @Nullable InetAddress offender, ByteBuffer payload) {

  /** SO_EE_ORIGIN_ICMP. */
  public static final int ORIGIN_ICMP = 2;

  /** SO_EE_ORIGIN_ICMP6. */
  public static final int ORIGIN_ICMP6 = 3;

  private static final int ICMP_TIME_EXCEEDED = 11;
  private static final int ICMP6_TIME_EXCEEDED = 3;
  private static final int IN_TRANSIT = 0;

  /** Makes the payload read-only. */
  public SocketError {
    payload = payload.asReadOnlyBuffer();
  }

  /** Whether the packet's hop limit ended in transit (RFC 792, RFC 4443). */
  public boolean isTimeExceeded() {
    boolean exceeded =
        (origin == ORIGIN_ICMP && type == ICMP_TIME_EXCEEDED)
            || (origin == ORIGIN_ICMP6 && type == ICMP6_TIME_EXCEEDED);
    return exceeded && code == IN_TRANSIT;
  }
}
