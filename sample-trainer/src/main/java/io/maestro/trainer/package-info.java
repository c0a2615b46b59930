/** Distributed data-parallel training of a network over Maestro. */
@NullMarked
package io.maestro.trainer;

import org.jspecify.annotations.NullMarked;
