/** Path policy as pure functions: no I/O, no threads, no clock reads. */
@NullMarked
package io.maestro.path;

import org.jspecify.annotations.NullMarked;
