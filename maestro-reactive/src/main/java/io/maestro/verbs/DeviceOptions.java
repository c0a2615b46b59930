package io.maestro.verbs;

/**
 * How to open a {@link Device}.
 *
 * @param loops number of event loops, at least 1; queue pairs are spread over them
 * @param checksum whether connections ask their peer for an end-to-end checksum of every segment
 *     (CRC32C on iWARP, RFC 5044 section 4.4); it is used when either side asks
 * @param busySpin whether an idle loop spins instead of sleeping in the kernel
 */
public record DeviceOptions(int loops, boolean checksum, boolean busySpin) {

  /** Checks the values. */
  public DeviceOptions {
    if (loops < 1) {
      throw new IllegalArgumentException("loops must be at least 1, was " + loops);
    }
  }

  /** One loop, no checksum, no spinning. */
  public static DeviceOptions defaults() {
    return new DeviceOptions(1, false, false);
  }
}
