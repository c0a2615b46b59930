/**
 * A path controller that is reached over HTTP: what reports and directives look like on the wire,
 * and the side of the connections. Needs {@code tools.jackson.core:jackson-databind}.
 */
@NullMarked
package io.maestro.control;

import org.jspecify.annotations.NullMarked;
