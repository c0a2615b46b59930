package io.maestro.verbs;

import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to open a {@link Device}.
 *
 * @param loops number of event loops, at least 1; queue pairs are spread over them
 * @param checksum whether connections ask their peer for an end-to-end checksum of every segment
 *     (CRC32C on iWARP, RFC 5044 section 4.4); it is used when either side asks
 * @param busySpin whether an idle loop spins instead of sleeping in the kernel
 * @param tls with what this side proves who it is and judges its peers, so that every connection is
 *     encrypted; null for connections in the clear. Only for a provider that {@linkplain
 *     VerbsProvider#encrypts() encrypts}
 */
public record DeviceOptions(
    int loops, boolean checksum, boolean busySpin, @Nullable SSLContext tls) {

  /** Checks the values. */
  public DeviceOptions {
    if (loops < 1) {
      throw new IllegalArgumentException("loops must be at least 1, was " + loops);
    }
  }

  /** Options for connections in the clear. */
  public DeviceOptions(int loops, boolean checksum, boolean busySpin) {
    this(loops, checksum, busySpin, null);
  }

  /** One loop, no checksum, no spinning. */
  public static DeviceOptions defaults() {
    return new DeviceOptions(1, false, false);
  }
}
