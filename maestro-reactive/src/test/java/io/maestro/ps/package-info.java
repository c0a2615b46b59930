/** Tests of the parameter server over connections in memory. */
@NullMarked
package io.maestro.ps;

import org.jspecify.annotations.NullMarked;
