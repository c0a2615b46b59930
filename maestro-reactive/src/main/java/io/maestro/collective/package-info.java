/** Collective operations among ranks: all-reduce, broadcast, barrier. */
@NullMarked
package io.maestro.collective;

import org.jspecify.annotations.NullMarked;
