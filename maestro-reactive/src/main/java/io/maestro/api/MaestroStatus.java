package io.maestro.api;

import java.util.List;

/** What there is to know of a Maestro at one moment. Any thread; nothing blocks. */
public interface MaestroStatus {

  /** Name of the verbs provider that is in use. */
  String provider();

  /** The settings. */
  MaestroConfig config();

  /** The connections that are open, on either side, in no order. */
  List<Connection> connections();

  /** Bytes of received messages that have not been closed; 0 when all have been. */
  long leasedBytes();
}
