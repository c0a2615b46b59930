/** End-to-end benchmarks that are run as programs. */
@NullMarked
package io.maestro.bench;

import org.jspecify.annotations.NullMarked;
