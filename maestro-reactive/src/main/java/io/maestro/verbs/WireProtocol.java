package io.maestro.verbs;

/** What carries a provider's packets, and so what a switch sees of a queue pair. */
public enum WireProtocol {
  /** Nothing that a switch could hash by ports. */
  OPAQUE,
  /** A TCP connection between the addresses and ports of the queue pair. */
  TCP,
  /** UDP to port 4791, from a source port that follows from the ports of the connection manager. */
  ROCE_V2
}
