/** Processes that end together. */
@NullMarked
package io.maestro.trainer.process;

import org.jspecify.annotations.NullMarked;
