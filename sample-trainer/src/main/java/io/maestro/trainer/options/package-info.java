/** The command line of the trainer. */
@NullMarked
package io.maestro.trainer.options;

import org.jspecify.annotations.NullMarked;
