/** Meters and observations in the registries of a Spring Boot application. */
@NullMarked
package io.maestro.boot.metrics;

import org.jspecify.annotations.NullMarked;
