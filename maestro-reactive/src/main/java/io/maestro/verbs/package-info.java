/** The provider SPI: devices, memory regions, queue pairs, work requests and completions. */
@NullMarked
package io.maestro.verbs;

import org.jspecify.annotations.NullMarked;
