/** Collective operations among ranks: all-reduce, barrier, and what belongs to them. */
@NullMarked
package io.maestro.collective;

import org.jspecify.annotations.NullMarked;
