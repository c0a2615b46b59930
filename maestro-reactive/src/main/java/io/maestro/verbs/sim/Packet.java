package io.maestro.verbs.sim;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Something under way between two ends; taken from a pool and given back when it has arrived. */
final class Packet extends SimEvent {
  /** Bytes of every packet on the wire beside its payload. */
  static final int HEADER_BYTES = 64;

  private enum Type {
    DATA,
    ACK,
    FAREWELL,
    FAREWELL_ACK
  }

  /** Packets that are not under way. */
  static final class Pool {
    private final ArrayDeque<Packet> idle = new ArrayDeque<>();

    private Packet take(Type type) {
      Packet packet = idle.poll();
      if (packet == null) {
        packet = new Packet(this);
      }
      packet.type = type;
      packet.marked = false;
      return packet;
    }

    Packet data(Transport source, long psn, long sentNs) {
      Packet packet = take(Type.DATA);
      packet.source = source;
      packet.target = null;
      packet.psn = psn;
      packet.sentNs = sentNs;
      return packet;
    }

    Packet ack(Transport target, Packet of, long nextPsn, long marks) {
      Packet packet = take(Type.ACK);
      packet.source = null;
      packet.target = target;
      packet.psn = of.psn;
      packet.sentNs = of.sentNs;
      packet.nextPsn = nextPsn;
      packet.marks = marks;
      return packet;
    }

    Packet farewell(@Nullable Transport source, Transport target, Farewell farewell) {
      Packet packet = take(Type.FAREWELL);
      packet.source = source;
      packet.target = target;
      packet.farewell = farewell;
      return packet;
    }

    Packet farewellAck(Transport target) {
      Packet packet = take(Type.FAREWELL_ACK);
      packet.source = null;
      packet.target = target;
      return packet;
    }
  }

  private final Pool pool;
  private Type type = Type.DATA;
  private @Nullable Transport source;
  private @Nullable Transport target;
  private @Nullable Farewell farewell;
  private boolean marked;
  private long psn;
  private long sentNs;
  private long nextPsn;
  private long marks;

  private Packet(Pool pool) {
    this.pool = pool;
  }

  void sendOver(Link link, int payloadBytes) {
    Link.Fate fate = link.carry(this, HEADER_BYTES + payloadBytes);
    marked = fate == Link.Fate.MARKED;
    if (fate == Link.Fate.LOST) {
      recycle();
    }
  }

  @Override
  void fire() {
    switch (type) {
      case DATA -> present(source).dataHasArrived(this);
      case ACK -> present(target).sender().acknowledged(psn, sentNs, nextPsn, marks);
      case FAREWELL -> present(target).farewellHasArrived(source, presentFarewell());
      case FAREWELL_ACK -> present(target).farewellIsKnown();
    }
    recycle();
  }

  private void recycle() {
    source = null;
    target = null;
    farewell = null;
    pool.idle.push(this);
  }

  private static Transport present(@Nullable Transport transport) {
    if (transport == null) {
      throw new IllegalStateException("a packet without an end");
    }
    return transport;
  }

  private Farewell presentFarewell() {
    if (farewell == null) {
      throw new IllegalStateException("a farewell without a reason");
    }
    return farewell;
  }

  long psn() {
    return psn;
  }

  boolean isMarked() {
    return marked;
  }
}
