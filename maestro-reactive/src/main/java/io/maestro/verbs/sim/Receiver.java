package io.maestro.verbs.sim;

import io.maestro.verbs.Access;
import io.maestro.verbs.VerbsException.Kind;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** One end's receiving half: takes packets in any order, and places their bytes in order. */
final class Receiver {
  private final Transport transport;
  private long nextPsn;
  private long marks;

  Receiver(Transport transport) {
    this.transport = transport;
  }

  long marks() {
    return marks;
  }

  long nextPsn() {
    return nextPsn;
  }

  void arrived(Packet packet, UnitRing ofPeer) {
    marks += packet.isMarked() ? 1 : 0;
    Unit unit = ofPeer.find(packet.psn());
    if (unit != null) {
      unit.arrived = true;
    }
    Unit next = ofPeer.find(nextPsn);
    while (next != null && next.arrived && !transport.isEnded()) {
      nextPsn++;
      place(next);
      next = ofPeer.find(nextPsn);
    }
  }

  private void place(Unit unit) {
    switch (unit.kind) {
      case CONNECT -> transport.requested(unit.privateData);
      case ACCEPT -> transport.accepted(unit.privateData);
      case WRITE -> placeWrite(unit, transport.queuePair());
      case SEND -> placeSend(unit, transport.queuePair());
      case READ_REQUEST -> serveRead(unit, transport.queuePair());
      case READ_RESPONSE -> placeResponse(unit, transport.queuePair());
    }
  }

  private void placeWrite(Unit unit, SimQueuePair qp) {
    SimRegion region = allowed(unit, qp, Access.REMOTE_WRITE);
    if (region == null) {
      transport.refuse(unit, "WRITE");
      return;
    }
    long to = unit.remoteAddress - region.remoteAddress() + unit.messageOffset;
    MemorySegment.copy(unit.memory, unit.offset, region.memory(), to, unit.length);
  }

  private static @Nullable SimRegion allowed(Unit unit, SimQueuePair qp, Access access) {
    SimRegion region = qp.domain().region(unit.rkey);
    boolean allowed =
        region != null
            && region.allows(qp.domain(), access, unit.remoteAddress, unit.messageLength);
    return allowed ? region : null;
  }

  private void placeSend(Unit unit, SimQueuePair qp) {
    WorkQueue receives = qp.receives();
    if (receives.isEmpty()) {
      transport.fail(Kind.PROTOCOL, "a SEND met no posted receive");
      return;
    }
    WorkRequest receive = receives.first();
    if (unit.messageLength > receive.length) {
      qp.failReceive(receive);
      transport.fail(
          Kind.PROTOCOL,
          "a SEND of %d bytes met a receive of %d".formatted(unit.messageLength, receive.length));
      return;
    }
    long to = receive.offset + unit.messageOffset;
    MemorySegment.copy(unit.memory, unit.offset, receive.memory, to, unit.length);
    if (unit.isLast()) {
      receives.done(receive, unit.messageLength);
      qp.hasNews();
    }
  }

  private void serveRead(Unit unit, SimQueuePair qp) {
    SimRegion region = allowed(unit, qp, Access.REMOTE_READ);
    if (region == null) {
      transport.refuse(unit, "READ");
      return;
    }
    transport.serve(new ReadService(region, unit.remoteAddress, unit.messageLength, unit.wrSeq));
  }

  private void placeResponse(Unit unit, SimQueuePair qp) {
    if (unit.source == null || unit.source.isClosed()) {
      transport.answerWasWithdrawn(unit.wrSeq);
      return;
    }
    WorkRequest read = qp.sends().get(unit.wrSeq);
    long to = read.offset + unit.messageOffset;
    MemorySegment.copy(unit.memory, unit.offset, read.memory, to, unit.length);
    if (unit.isLast()) {
      qp.sends().done(read, unit.messageLength);
      qp.hasNews();
    }
  }
}
