package io.maestro.verbs;

/** The kind of work that completed. */
public enum WcOpcode {
  /** The local memory of a WRITE may be reused; says nothing about the peer. */
  WRITE,
  /** The bytes of a READ are in local memory. */
  READ,
  /** The local memory of a SEND may be reused; says nothing about the peer. */
  SEND,
  /** A SEND of the peer is in the receive's memory. */
  RECV
}
