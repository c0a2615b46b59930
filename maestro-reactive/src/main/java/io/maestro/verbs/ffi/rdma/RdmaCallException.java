package io.maestro.verbs.ffi.rdma;

import java.util.Map;

/** A call that a library, its driver or the kernel refused. */
public final class RdmaCallException extends Exception {
  private static final long serialVersionUID = 1;

  /** EIO, also for a failure that left no reason. */
  public static final int IO_ERROR = 5;

  /** EACCES: this user may not open the device. */
  public static final int ACCESS_DENIED = 13;

  /** ENOMEM: often the limit of locked memory. */
  public static final int NO_MEMORY = 12;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(1, "EPERM"),
          Map.entry(2, "ENOENT"),
          Map.entry(4, "EINTR"),
          Map.entry(IO_ERROR, "EIO"),
          Map.entry(11, "EAGAIN"),
          Map.entry(NO_MEMORY, "ENOMEM"),
          Map.entry(ACCESS_DENIED, "EACCES"),
          Map.entry(16, "EBUSY"),
          Map.entry(19, "ENODEV"),
          Map.entry(22, "EINVAL"),
          Map.entry(38, "ENOSYS"),
          Map.entry(61, "ENODATA"),
          Map.entry(95, "EOPNOTSUPP"),
          Map.entry(98, "EADDRINUSE"),
          Map.entry(99, "EADDRNOTAVAIL"),
          Map.entry(100, "ENETDOWN"),
          Map.entry(101, "ENETUNREACH"),
          Map.entry(104, "ECONNRESET"),
          Map.entry(107, "ENOTCONN"),
          Map.entry(110, "ETIMEDOUT"),
          Map.entry(111, "ECONNREFUSED"),
          Map.entry(113, "EHOSTUNREACH"));

  /** The error number. */
  private final int errno;

  RdmaCallException(String function, int errno) {
    super("%s failed: %s".formatted(function, nameOf(errno)));
    this.errno = errno;
  }

  /** The positive {@code errno} of Linux, never 0. */
  public int errno() {
    return errno;
  }

  private static String nameOf(int errno) {
    return NAMES.getOrDefault(errno, "errno " + errno);
  }
}
