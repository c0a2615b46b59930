/** The live page of a local run: what it shows, and how it is served. */
@NullMarked
package io.maestro.trainer.page;

import org.jspecify.annotations.NullMarked;
