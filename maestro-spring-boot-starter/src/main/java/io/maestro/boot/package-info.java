/** Spring Boot integration of Maestro. */
@NullMarked
package io.maestro.boot;

import org.jspecify.annotations.NullMarked;
