/** Which parameters a model has, without computing anything. */
@NullMarked
package io.maestro.trainer.shape;

import org.jspecify.annotations.NullMarked;
