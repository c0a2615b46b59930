/** What a run did, as lines on a terminal and as JSON. */
@NullMarked
package io.maestro.trainer.report;

import org.jspecify.annotations.NullMarked;
