package io.maestro.verbs.ffi.rdma;

/**
 * The RDMA libraries cannot be used on this machine; the message says what was tried and the cure.
 */
public final class RdmaUnavailableException extends Exception {
  private static final long serialVersionUID = 1;

  RdmaUnavailableException(String message) {
    super(message);
  }

  RdmaUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
