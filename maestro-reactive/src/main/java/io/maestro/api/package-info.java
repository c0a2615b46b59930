/** Records and errors that a user of Maestro sees. */
@NullMarked
package io.maestro.api;

import org.jspecify.annotations.NullMarked;
