/** Figures of a process for Prometheus. */
@NullMarked
package io.maestro.trainer.metrics;

import org.jspecify.annotations.NullMarked;
