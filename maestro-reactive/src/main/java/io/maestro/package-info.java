/** Entry point of Maestro: wires providers, paths and sessions together. */
@NullMarked
package io.maestro;

import org.jspecify.annotations.NullMarked;
