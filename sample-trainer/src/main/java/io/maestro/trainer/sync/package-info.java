/** Keeps the parameters of several workers in step through a parameter server. */
@NullMarked
package io.maestro.trainer.sync;

import org.jspecify.annotations.NullMarked;
