package io.maestro.verbs;

/** What a peer may do with a {@link MemoryRegion}. */
public enum Access {
  /** The target of RDMA WRITE. */
  REMOTE_WRITE,
  /** The source of RDMA READ. */
  REMOTE_READ
}
