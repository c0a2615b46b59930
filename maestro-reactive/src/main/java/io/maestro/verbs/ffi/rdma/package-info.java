/**
 * The system's RDMA libraries, {@code libibverbs} and {@code librdmacm}, by java.lang.foreign.
 * Names are those of the libraries.
 */
@NullMarked
package io.maestro.verbs.ffi.rdma;

import org.jspecify.annotations.NullMarked;
