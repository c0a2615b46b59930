package io.maestro.verbs;

/**
 * The resources of a queue pair.
 *
 * @param domain the protection domain that its work and its peer's operations are checked against
 * @param loop the loop, of the same device, that it lives on
 * @param sendDepth how many sends, writes and reads may be posted and not completed
 * @param recvDepth how many receives may be posted and not completed
 * @param readDepth how many reads may be outstanding in either direction (IRD and ORD)
 */
public record QpOptions(
    ProtectionDomain domain, EventLoop loop, int sendDepth, int recvDepth, int readDepth) {

  /** Checks the values. */
  public QpOptions {
    if (sendDepth < 1 || recvDepth < 1 || readDepth < 0) {
      throw new IllegalArgumentException(
          "depths must be positive, were send %d, recv %d, read %d"
              .formatted(sendDepth, recvDepth, readDepth));
    }
  }
}
