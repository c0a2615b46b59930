/** The simulated provider: a deterministic, seeded fabric in virtual time. */
@NullMarked
package io.maestro.verbs.sim;

import org.jspecify.annotations.NullMarked;
