/** The default provider: RDMA over TCP in pure Java (RFC 5040, 5041, 5044, 6581). */
@NullMarked
package io.maestro.verbs.iwarp;

import org.jspecify.annotations.NullMarked;
