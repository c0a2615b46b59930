package io.maestro.boot.actuate;

import java.util.List;

/**
 * A Maestro as JSON.
 *
 * @param provider that moves the bytes
 * @param balancer strategy that spreads chunks over the paths
 * @param memoryBudgetBytes most that received messages may hold
 * @param leasedBytes what they hold
 * @param connections those that are open
 * @param ended those that ended last, oldest first
 */
record MaestroView(
    String provider,
    String balancer,
    long memoryBudgetBytes,
    long leasedBytes,
    List<ConnectionView> connections,
    List<ConnectionLog.Ended> ended) {}
