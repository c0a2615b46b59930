/** Foreign functions: the only package that makes native downcalls. */
@NullMarked
package io.maestro.verbs.ffi;

import org.jspecify.annotations.NullMarked;
