/** Collectives on real and simulated networks. */
@NullMarked
package io.maestro.collective;

import org.jspecify.annotations.NullMarked;
