package io.maestro.verbs.sim;

/** A peer's READ that is being answered. */
final class ReadService {
  private final SimRegion region;
  private final long offset;
  private final int length;
  private final long wrSeq;
  private int sentBytes;

  ReadService(SimRegion region, long remoteAddress, int length, long wrSeq) {
    this.region = region;
    this.offset = remoteAddress - region.remoteAddress();
    this.length = length;
    this.wrSeq = wrSeq;
  }

  /** Makes the unit the next piece; returns whether it is the last. */
  boolean fill(Unit unit, int unitBytes) {
    unit.kind = Unit.Kind.READ_RESPONSE;
    unit.wrSeq = wrSeq;
    unit.source = region;
    unit.memory = region.memory();
    unit.offset = offset + sentBytes;
    unit.messageOffset = sentBytes;
    unit.messageLength = length;
    unit.length = Math.min(unitBytes, length - sentBytes);
    sentBytes += unit.length;
    return sentBytes == length;
  }
}
