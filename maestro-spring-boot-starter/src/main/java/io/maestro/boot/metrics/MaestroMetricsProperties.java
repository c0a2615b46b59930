package io.maestro.boot.metrics;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code maestro.metrics.*}.
 *
 * @param enabled Whether there are meters and observations where the application has a registry.
 * @param maxPeers Number of peers with tags of their own at a time; those beyond are counted
 *     together as other.
 * @param maxPaths Number of paths of a connection with tags of their own; those beyond are counted
 *     together as other.
 * @param breakers Whether Resilience4j's own meters are registered for the circuit breakers of
 *     paths; needs resilience4j-micrometer.
 * @param observations Whether each message is an observation, for traces.
 */
@ConfigurationProperties("maestro.metrics")
public record MaestroMetricsProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("32") int maxPeers,
    @DefaultValue("16") int maxPaths,
    @DefaultValue("true") boolean breakers,
    @DefaultValue("true") boolean observations) {}
