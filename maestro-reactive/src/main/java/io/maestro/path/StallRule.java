package io.maestro.path;

/**
 * Judges a path that has work under way and makes no progress. Pure.
 *
 * <p>A path is silent because its wire is, because the peer's process does not come to its work, or
 * because this one does not. The last must not be in the time that is given here. The other two are
 * told apart by the peer's network stack, where the provider knows what that has acknowledged, else
 * by the other paths to the same peer.
 */
public final class StallRule {
  /** Times that the next progress may take longer than expected. */
  public static final int ROUND_TRIPS = 3;

  /** How often a silent path is looked at before it is lost. */
  public static final int LOOKS = 10;

  /** Looks by which a path is lost before its time, as they are late themselves. */
  private static final int EARLY_LOOKS = 2;

  /**
   * When every wire to the peer is stuck, the paths have one cause in common, such as a busy host,
   * and there is nowhere to go: after this many limits a new connection may still find a way.
   */
  private static final int ALONE_LIMITS = 20;

  /** What the peer's network stack says. */
  public enum Wire {
    /** The provider cannot know. */
    UNKNOWN,
    /** It acknowledges what arrives: only the peer's process may be slow. */
    ALIVE,
    /** It acknowledges nothing. */
    STUCK
  }

  /** What is to be done about a path. */
  public enum Verdict {
    /** Nothing. */
    NONE,
    /** Idle paths to the same peer are to be asked for a sign of life. */
    ASK_OTHERS,
    /** It is to get no more work for now; keep-alive decides about its end. */
    SUSPEND,
    /** It is lost. */
    LOST
  }

  private StallRule() {}

  /**
   * How long a path may make no progress.
   *
   * @param stallNs the configured limit, in nanoseconds
   * @param expectedNs when progress is expected, by {@link PaceEstimate}: a round trip if it is
   *     idle
   */
  public static long limitNs(long stallNs, long expectedNs) {
    return Math.max(stallNs, ROUND_TRIPS * expectedNs);
  }

  /**
   * The limit of a path that has been lost before: each loss that is remembered adds as much again,
   * so that a host too busy to keep the limit is not made busier by connecting for ever.
   *
   * @param flaps losses that are remembered, as {@link FlapMemory#flaps} tells
   */
  public static long afterFlapsNs(long limitNs, double flaps) {
    return (long) (limitNs * (1 + flaps));
  }

  /**
   * Judges a path.
   *
   * @param silentNs how long it has made no progress, in nanoseconds
   * @param limitNs how long it may
   * @param wire what the peer's network stack says
   * @param othersMove whether another path to the same peer has made progress in the second half of
   *     that time: the peer's process is at work
   */
  public static Verdict judge(long silentNs, long limitNs, Wire wire, boolean othersMove) {
    if (2 * silentNs < limitNs) {
      return Verdict.NONE;
    }
    if (silentNs < limitNs - EARLY_LOOKS * limitNs / LOOKS) {
      return Verdict.ASK_OTHERS;
    }
    return switch (wire) {
      case STUCK ->
          othersMove || silentNs >= ALONE_LIMITS * limitNs ? Verdict.LOST : Verdict.ASK_OTHERS;
      case ALIVE -> othersMove ? Verdict.SUSPEND : Verdict.ASK_OTHERS;
      case UNKNOWN -> othersMove ? Verdict.LOST : Verdict.ASK_OTHERS;
    };
  }
}
