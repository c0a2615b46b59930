package io.maestro.api;

import java.util.List;

/**
 * What is known of the route of one path: the links that its packets really take.
 *
 * @param predicted the switches that the topology and its hash models name, in order from here to
 *     the peer; empty when nothing was predicted
 * @param probed what answered a probe at each hop, in the same order: a switch of the topology,
 *     else an address, or {@link #UNKNOWN_HOP} where nothing answered; empty when nothing was
 *     probed
 * @param sharedLinks links, as {@code from>to}, that another path of the connection is known to use
 *     too; empty when none is known
 * @param verdict how far prediction and probe go together
 * @param reason why it is so, in one sentence; empty when there is nothing to explain
 */
public record RouteReport(
    List<String> predicted,
    List<String> probed,
    List<String> sharedLinks,
    Verdict verdict,
    String reason) {

  /** Stands for a hop that did not answer. */
  public static final String UNKNOWN_HOP = "?";

  /** Takes copies. */
  public RouteReport {
    predicted = List.copyOf(predicted);
    probed = List.copyOf(probed);
    sharedLinks = List.copyOf(sharedLinks);
  }

  /** Nothing is known, for a reason. */
  public static RouteReport unknown(String reason) {
    return new RouteReport(List.of(), List.of(), List.of(), Verdict.UNKNOWN, reason);
  }

  /** How far prediction and probe go together. */
  public enum Verdict {
    /** Neither predicted nor probed: the network decides. */
    UNKNOWN,
    /** Predicted from the topology; not probed, or no probe was answered. */
    PREDICTED,
    /** Probed; there was no prediction. */
    PROBED,
    /** Probed as predicted, at every hop that answered. */
    AGREED,
    /** Probed otherwise than predicted; the probe is what counts. */
    DISAGREED
  }
}
