/** What the tests of every module share; part of the test-jar. */
@NullMarked
package io.maestro.testing;

import org.jspecify.annotations.NullMarked;
