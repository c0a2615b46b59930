package io.maestro.api;

import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * How to send a message.
 *
 * @param header bytes that travel with the message and arrive with it, at most {@link
 *     #MAX_HEADER_BYTES}; must not be changed until the send has completed
 * @param priority 0 to 7, higher first; messages of one priority share the paths by bytes
 * @param timeout after which the send fails with {@link MaestroException.DeadlineExceeded}; {@link
 *     Duration#ZERO} for the connection's default
 */
public record SendOptions(ByteBuffer header, int priority, Duration timeout) {

  /** The most bytes that a header may have. */
  public static final int MAX_HEADER_BYTES = 1024;

  /** No header, priority 0, the connection's default timeout. */
  public static final SendOptions DEFAULT =
      new SendOptions(ByteBuffer.allocate(0), 0, Duration.ZERO);

  /** Checks the values. */
  public SendOptions {
    if (header.remaining() > MAX_HEADER_BYTES) {
      throw new IllegalArgumentException(
          "a header has at most %d bytes, this one has %d"
              .formatted(MAX_HEADER_BYTES, header.remaining()));
    }
    if (priority < 0 || priority > 7) {
      throw new IllegalArgumentException("priority must be 0 to 7, was " + priority);
    }
    if (timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative, was " + timeout);
    }
    header = header.asReadOnlyBuffer();
  }

  /** The same with a header. */
  public SendOptions withHeader(ByteBuffer newHeader) {
    return new SendOptions(newHeader, priority, timeout);
  }

  /** The same with a priority. */
  public SendOptions withPriority(int newPriority) {
    return new SendOptions(header, newPriority, timeout);
  }

  /** The same with a timeout. */
  public SendOptions withTimeout(Duration newTimeout) {
    return new SendOptions(header, priority, newTimeout);
  }
}
