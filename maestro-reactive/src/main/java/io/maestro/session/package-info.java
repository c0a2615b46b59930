/** Sessions: messages to chunks to path sinks, credits, acknowledgement and reassembly. */
@NullMarked
package io.maestro.session;

import org.jspecify.annotations.NullMarked;
