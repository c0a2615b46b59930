package io.maestro.verbs;

/** Decides about incoming connections. */
@FunctionalInterface
public interface ConnectionRequestHandler {

  /**
   * Called on a loop of the device. The handler accepts or rejects the request, now or later from
   * any thread, but before the peer's deadline; an exception thrown here rejects it.
   */
  void onRequest(ConnectionRequest request);
}
