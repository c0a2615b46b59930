package io.maestro.collective;

/** Ranks want to meet differently; another attempt is made with what both can agree on. */
final class Disagreement extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Proposal proposal;

  Disagreement(Proposal proposal) {
    super("ranks that meet have different ones for gone", null, false, false);
    this.proposal = proposal;
  }

  Proposal proposal() {
    return proposal;
  }
}
