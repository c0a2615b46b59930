/**
 * Meters and observations of Micrometer, which is optional: nothing else of the library needs it.
 */
@NullMarked
package io.maestro.metrics;

import org.jspecify.annotations.NullMarked;
