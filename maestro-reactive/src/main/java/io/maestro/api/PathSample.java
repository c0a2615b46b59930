package io.maestro.api;

/**
 * What was seen of one path of a connection during one interval, about a round trip long.
 *
 * @param path the path's number within the connection, from 0
 * @param usable whether it may carry chunks
 * @param intervalNs length of the interval, in nanoseconds
 * @param ackedBytes bytes acknowledged in the interval
 * @param inFlightBytes bytes that are unacknowledged at its end
 * @param rateBytesPerSecond smoothed delivery rate, 0 when unknown
 * @param rttNs smoothed round-trip time of chunk and acknowledgement in nanoseconds, queueing
 *     included; 0 when unknown
 * @param minRttNs shortest of the last ten seconds in nanoseconds; 0 when unknown
 * @param silenceNs longest time of the last one to two seconds in which nothing was acknowledged
 *     although something was in flight, in nanoseconds: a busy host, or a window that is too small
 * @param marks congestion marks (ECN-CE or CNP) of the interval, {@link #ABSENT} when the provider
 *     cannot know
 * @param markedFraction part of the delivered packets that was marked, 0 to 1, {@link #ABSENT} when
 *     the provider cannot know
 * @param retransmits packets that were sent again in the interval, {@link #ABSENT} when the
 *     provider cannot know
 * @param lag how far it is behind its share although it had all in flight that it may have, in
 *     windows; negative when it is ahead
 */
public record PathSample(
    int path,
    boolean usable,
    long intervalNs,
    long ackedBytes,
    long inFlightBytes,
    long rateBytesPerSecond,
    long rttNs,
    long minRttNs,
    long silenceNs,
    long marks,
    double markedFraction,
    long retransmits,
    double lag) {

  /** The value of what is not known, which is not the same as 0. */
  public static final long ABSENT = -1;
}
