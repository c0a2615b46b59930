/** Experiments on a leaf-spine fabric of network namespaces. */
@org.jspecify.annotations.NullMarked
package io.maestro.bench.fabric;
