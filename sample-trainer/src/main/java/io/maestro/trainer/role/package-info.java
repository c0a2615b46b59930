/** What the processes of a run do. */
@NullMarked
package io.maestro.trainer.role;

import org.jspecify.annotations.NullMarked;
