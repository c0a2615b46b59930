package io.maestro.session;

/** Takes each control message of the peer to the part of the session that it is for. */
final class ControlRouter {
  private final Session session;
  private final Outbound outbound;
  private final Inbound inbound;
  private final Failover failover;

  ControlRouter(Session session, Outbound outbound, Inbound inbound, Failover failover) {
    this.session = session;
    this.outbound = outbound;
    this.inbound = inbound;
    this.failover = failover;
  }

  /**
   * Handles a message that has not come before.
   *
   * @throws ProtocolViolation when it cannot be meant
   */
  void route(Control control) {
    boolean first = control instanceof Control.Confirm || control instanceof Control.Fence;
    if (session.isOpening() && !session.isClient() && !first) {
      throw new ProtocolViolation("a message came before the proof of who sends it");
    }
    switch (control) {
      case Control.Confirm c -> session.events().onConfirm(c.proof());
      case Control.Credit c -> outbound.onCredit(c.total());
      case Control.Eager c -> inbound.onEager(c);
      case Control.Rts c -> inbound.onRts(c);
      case Control.Cts c -> outbound.onCts(c);
      case Control.Cancel c -> inbound.onCancel(c);
      case Control.Abort c -> outbound.onAbort(c);
      case Control.Bye c -> session.onBye();
      case Control.Fence c -> failover.onFence(c);
      case Control.Fenced c -> failover.onFenced(c);
      case Control.Probe c -> throw new ProtocolViolation("a probe has no number");
    }
  }

  /** Gives back what a message holds that nobody handles. */
  static void release(Control control) {
    if (control instanceof Control.Eager eager && eager.lease() != null) {
      eager.lease().release();
    }
  }
}
