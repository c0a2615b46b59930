/** Parameter server and client: push and pull of versioned shards. */
@NullMarked
package io.maestro.ps;

import org.jspecify.annotations.NullMarked;
