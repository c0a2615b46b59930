package io.maestro.path;

import java.net.InetAddress;

/**
 * A 5-tuple that a path could have, and its route.
 *
 * @param local local alias
 * @param localPort source port
 * @param remote remote alias
 * @param remotePort the port that the peer listens on
 * @param route its route as far as it is known; unknown nodes count as possibly shared
 */
public record Candidate(
    InetAddress local, int localPort, InetAddress remote, int remotePort, Route route) {

  /** Whether both are the same 5-tuple, whatever their routes. */
  public boolean sameTuple(Candidate other) {
    return localPort == other.localPort
        && remotePort == other.remotePort
        && local.equals(other.local)
        && remote.equals(other.remote);
  }
}
