/** Plans the paths of connections: candidates, their predicted and probed routes, the selection. */
@NullMarked
package io.maestro.route;

import org.jspecify.annotations.NullMarked;
