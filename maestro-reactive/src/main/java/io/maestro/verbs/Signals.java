package io.maestro.verbs;

/**
 * Cumulative and current signals of one path. {@link #ABSENT} says that the provider cannot know a
 * value here, which is not the same as 0.
 *
 * @param deliveredPackets data packets delivered to the peer so far
 * @param congestionMarks of these, how many were marked (ECN-CE) or answered with a CNP
 * @param retransmits packets sent again so far
 * @param rttNs smoothed round-trip time, in nanoseconds
 * @param deliveryRate current delivery rate, in bytes per second
 * @param unackedPackets packets that the peer's network stack has yet to acknowledge, those
 *     included that this host cannot send although the peer has room. When there are none, whatever
 *     was sent is at the peer's host, and only its process may not have taken it yet.
 * @param ackAgeNs how long ago the peer's network stack acknowledged anything, in nanoseconds
 */
public record Signals(
    long deliveredPackets,
    long congestionMarks,
    long retransmits,
    long rttNs,
    long deliveryRate,
    long unackedPackets,
    long ackAgeNs) {

  /** The value of a signal that is not known. */
  public static final long ABSENT = -1;

  /** Nothing is known. */
  public static final Signals NONE = new Signals(ABSENT, ABSENT, ABSENT, ABSENT, ABSENT);

  /** Signals of a provider that cannot know what the peer's network stack has acknowledged. */
  public Signals(
      long deliveredPackets,
      long congestionMarks,
      long retransmits,
      long rttNs,
      long deliveryRate) {
    this(deliveredPackets, congestionMarks, retransmits, rttNs, deliveryRate, ABSENT, ABSENT);
  }
}
