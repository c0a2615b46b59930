/** The rules of style that only sources can show, checked for every module of the build. */
@NullMarked
package io.maestro.style;

import org.jspecify.annotations.NullMarked;
