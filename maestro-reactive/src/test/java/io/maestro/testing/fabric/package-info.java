/** A leaf-spine fabric of network namespaces for system tests; part of the test-jar. */
@NullMarked
package io.maestro.testing.fabric;

import org.jspecify.annotations.NullMarked;
