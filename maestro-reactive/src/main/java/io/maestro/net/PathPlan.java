package io.maestro.net;

import io.maestro.api.RouteReport;
import java.net.InetSocketAddress;

/**
 * Where one path is to go.
 *
 * @param local the local address to bind and the source port, 0 to let the system choose one
 * @param remote the peer's address and port
 * @param route what is known of the route that these lead to
 */
public record PathPlan(InetSocketAddress local, InetSocketAddress remote, RouteReport route) {}
