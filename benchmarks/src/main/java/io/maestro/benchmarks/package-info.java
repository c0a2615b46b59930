/** JMH benchmarks of Maestro. */
@NullMarked
package io.maestro.benchmarks;

import org.jspecify.annotations.NullMarked;
