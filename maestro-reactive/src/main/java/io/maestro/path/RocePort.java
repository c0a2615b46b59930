package io.maestro.path;

/**
 * The UDP source port of RoCE v2, which is what switches hash of a QP, as the Linux kernel computes
 * it. The destination port is always {@link #DESTINATION}.
 */
public final class RocePort {
  /** The UDP destination port of RoCE v2 (IANA: roce). */
  public static final int DESTINATION = 4791;

  private static final int MIN = 0xC000;
  private static final int LOW_BITS = 14;
  private static final int LOW_MASK = (1 << LOW_BITS) - 1;
  private static final int LABEL_MASK = 0xFFFFF;
  private static final int PORT_FACTOR = 31;

  private RocePort() {}

  /**
   * Of a QP with a flow label.
   *
   * @param flowLabel 20 bits
   */
  public static int ofFlowLabel(int flowLabel) {
    int label = flowLabel & LABEL_MASK;
    return MIN | ((label & LOW_MASK) ^ (label >>> LOW_BITS));
  }

  /** Of a QP that rdma_cm connected between these ports: so the source port chooses the path. */
  public static int ofConnection(int cmSourcePort, int cmDestinationPort) {
    return ofFlowLabel(cmSourcePort * PORT_FACTOR + cmDestinationPort);
  }

  /** Of a QP that was connected without rdma_cm and without a flow label: from both QP numbers. */
  public static int ofQueuePairs(int localNumber, int remoteNumber) {
    long product = Integer.toUnsignedLong(localNumber) * Integer.toUnsignedLong(remoteNumber);
    product ^= product >>> 20;
    product ^= product >>> 40;
    return ofFlowLabel((int) (product & LABEL_MASK));
  }
}
