package io.maestro.collective;

/** The calls between this rank and one other in one direction, numbered for themselves. */
final class DirectLane {

  private final CallQueue turns = new CallQueue();
  private final Agreement agreement;
  private Tag last = Tag.first(Tag.Kind.DIRECT); // by the call whose turn it is

  DirectLane(int peer) {
    agreement = new Agreement(peer, Tag.Kind.DIRECT);
  }

  CallQueue turns() {
    return turns;
  }

  /** A call begins that moves so many bytes. By whoever has the turn. */
  Tag begin(long bytes) {
    last = last.next(Long.hashCode(bytes));
    agreement.enter(last);
    return last;
  }

  /** The peer has sent a piece of a region. */
  void check(Tag data) {
    agreement.check(data);
  }
}
