/** Faults of the network, made at will in front of any verbs provider, without privilege. */
@NullMarked
package io.maestro.trainer.fault;

import org.jspecify.annotations.NullMarked;
