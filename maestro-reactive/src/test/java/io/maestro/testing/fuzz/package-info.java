/** Bytes of strangers: a corpus that every build replays and changes at random. */
@NullMarked
package io.maestro.testing.fuzz;

import org.jspecify.annotations.NullMarked;
