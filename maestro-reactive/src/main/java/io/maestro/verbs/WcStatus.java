package io.maestro.verbs;

/** How a work request ended. */
public enum WcStatus {
  /** Done. */
  SUCCESS,
  /** Not done, or not known to be done, because the queue pair ended. */
  FLUSHED,
  /** The peer refused the access: key, bounds, rights or domain. */
  REMOTE_ACCESS_ERROR,
  /** A SEND of the peer was longer than the receive. */
  LENGTH_ERROR
}
