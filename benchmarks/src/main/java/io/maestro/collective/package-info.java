/** JMH benchmarks of parts of the collectives that users do not see. */
@NullMarked
package io.maestro.collective;

import org.jspecify.annotations.NullMarked;
