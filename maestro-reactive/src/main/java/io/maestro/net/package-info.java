/**
 * What the library learns from and asks of the host's network: virtual NICs, plans of paths, probes
 * of routes.
 */
@NullMarked
package io.maestro.net;

import org.jspecify.annotations.NullMarked;
