package io.maestro.verbs.ffi;

import java.io.IOException;

/** A call that the kernel refused. */
public final class NativeSocketException extends IOException {
  private static final long serialVersionUID = 1;

  private final int errno;

  NativeSocketException(String call, int errno) {
    super("%s failed with errno %d".formatted(call, errno));
    this.errno = errno;
  }

  /** The kernel's {@code errno}. */
  public int errno() {
    return errno;
  }
}
