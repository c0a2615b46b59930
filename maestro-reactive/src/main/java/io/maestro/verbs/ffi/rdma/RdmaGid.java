package io.maestro.verbs.ffi.rdma;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * An address of a port.
 *
 * @param port the number of the port, from 1
 * @param index its place in the port's table, which may have holes
 * @param type what it is for; null when it is not known here
 * @param address the IP address that it stands for, or the GID itself as an IPv6 address
 */
public record RdmaGid(int port, int index, @Nullable IbvGidType type, InetAddress address) {}
