package io.maestro.verbs.sim;

import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection below the verbs: what a network card does by itself, without a loop. Both
 * ends share one memory, so a packet carries a reference where a real one carries bytes.
 */
final class Transport {
  private final Network network;
  private final InetSocketAddress local;
  private final InetSocketAddress remote;
  private final Link out;
  private final Sender sender;
  private final Receiver receiver = new Receiver(this);
  private final ArrayDeque<ReadService> reads = new ArrayDeque<>();
  private final SimEvent farewellTimer = new FarewellTimer();
  private @Nullable Transport peer;
  private @Nullable SimQueuePair qp;
  private @Nullable SimListener listener;
  private Unit.@Nullable Kind greeting;
  private ByteBuffer greetingData = ByteBuffer.allocate(0);
  private boolean servesNext;
  private @Nullable VerbsException ended;
  private @Nullable Farewell farewell;
  private long farewellUntilNs;

  private final class FarewellTimer extends SimEvent {
    @Override
    void fire() {
      sayFarewell();
    }
  }

  Transport(Network network, InetSocketAddress local, InetSocketAddress remote) {
    this.network = network;
    this.local = local;
    this.remote = remote;
    out = network.link(local.getAddress(), remote.getAddress());
    sender = new Sender(this, network.timeline(), network.options());
    network.opened(this);
  }

  boolean isBetween(InetAddress one, InetAddress other) {
    InetAddress here = local.getAddress();
    InetAddress there = remote.getAddress();
    return (here.equals(one) && there.equals(other)) || (here.equals(other) && there.equals(one));
  }

  InetSocketAddress local() {
    return local;
  }

  InetSocketAddress remote() {
    return remote;
  }

  Sender sender() {
    return sender;
  }

  boolean isEnded() {
    return ended != null;
  }

  @Nullable VerbsException ended() {
    return ended;
  }

  /** When what was sent last will have left this end; timeouts count from then. */
  long departureNs() {
    return out.departureNs();
  }

  boolean isLinkUp() {
    return out.isUp();
  }

  SimQueuePair queuePair() {
    if (qp == null) {
      throw new IllegalStateException(this + " has no queue pair");
    }
    return qp;
  }

  void attach(SimQueuePair queuePair) {
    qp = queuePair;
  }

  /** How many reads the peer lets this end have outstanding. */
  int peerReadDepth() {
    return peer == null ? 0 : peer.queuePair().readDepth();
  }

  // What is sent.

  void greet(Unit.Kind kind, ByteBuffer privateData) {
    greeting = kind;
    greetingData = privateData;
    sender.transmit();
  }

  void serve(ReadService read) {
    reads.add(read);
    sender.transmit();
  }

  /** Makes the unit the next thing to send; answers to reads and own work take turns. */
  boolean fillNext(Unit unit) {
    if (greeting != null) {
      unit.kind = greeting;
      unit.privateData = greetingData;
      greeting = null;
      return true;
    }
    servesNext = !servesNext;
    return servesNext ? fillAnswer(unit) || fillWork(unit) : fillWork(unit) || fillAnswer(unit);
  }

  private boolean fillAnswer(Unit unit) {
    ReadService read = reads.peek();
    if (read == null) {
      return false;
    }
    if (read.fill(unit, network.options().unitBytes())) {
      reads.remove();
    }
    return true;
  }

  private boolean fillWork(Unit unit) {
    return qp != null && qp.fillNext(unit, network.options().unitBytes());
  }

  void carry(Unit unit) {
    network.packets().data(this, unit.psn, unit.sentNs).sendOver(out, unit.length);
  }

  void delivered(Unit unit) {
    if (qp != null) {
      qp.delivered(unit);
    }
  }

  // What arrives.

  /** A packet that this end sent is at the other end. */
  void dataHasArrived(Packet packet) {
    if (isEnded()) {
      return;
    }
    if (peer == null && !network.meetListener(this)) {
      return;
    }
    if (peer != null) {
      peer.receive(packet, this);
    }
  }

  void meet(Transport other, SimListener through) {
    peer = other;
    other.peer = this;
    listener = through;
  }

  private void receive(Packet packet, Transport from) {
    if (!isEnded()) {
      receiver.arrived(packet, from.sender.units());
    }
    if (!isEnded()) {
      network.packets().ack(from, packet, receiver.nextPsn(), receiver.marks()).sendOver(out, 0);
    }
  }

  void requested(ByteBuffer privateData) {
    if (listener != null) {
      listener.requested(this, privateData);
    }
  }

  void accepted(ByteBuffer privateData) {
    queuePair().established(privateData);
  }

  // How it ends.

  void refuse(Unit unit, String operation) {
    String text =
        """
        %s of %d bytes at address 0x%x with key 0x%x was refused: \
        unknown key, other domain, no right, or out of bounds"""
            .formatted(operation, unit.messageLength, unit.remoteAddress, unit.rkey);
    end(
        new VerbsException(Kind.REMOTE_ACCESS, this + ": the peer's " + text),
        Farewell.refusing(unit.wrSeq, "this side's " + text));
  }

  /** The peer closed a region while it was being read. */
  void answerWasWithdrawn(long wrSeq) {
    String reason = "a region was closed while it was being read";
    if (qp != null) {
      qp.refused(wrSeq);
    }
    end(
        new VerbsException(Kind.REMOTE_ACCESS, this + ": " + reason),
        Farewell.of(Kind.REMOTE_ACCESS, reason));
  }

  void fail(Kind kind, String reason) {
    end(new VerbsException(kind, this + ": " + reason), Farewell.of(kind, reason));
  }

  /** The connection is in error, at this end; the other is broken by itself. */
  void isBroken() {
    end(new VerbsException(Kind.CONNECTION_LOST, this + ": the connection broke"), null);
  }

  void isLost() {
    long limitMs = network.options().retryLimitNs() / 1_000_000;
    VerbsException cause =
        new VerbsException(
            Kind.CONNECTION_LOST,
            this + ": no answer for " + limitMs + " ms; check the link and the peer");
    end(cause, Farewell.of(Kind.CONNECTION_LOST, "the peer gave the connection up"));
  }

  /** Ends this end at once; the other is told, if there is something to say. */
  void end(VerbsException cause, @Nullable Farewell toPeer) {
    if (ended != null) {
      return;
    }
    ended = cause;
    sender.end();
    reads.clear();
    network.release(this);
    if (qp != null) {
      qp.ended(cause);
    }
    if (toPeer != null && peer != null) {
      farewell = toPeer;
      farewellUntilNs = network.timeline().nowNs() + network.options().retryLimitNs();
      sayFarewell();
    }
  }

  private void sayFarewell() {
    if (farewell != null && peer != null && network.timeline().nowNs() < farewellUntilNs) {
      network.packets().farewell(this, peer, farewell).sendOver(out, 0);
      network.timeline().at(network.timeline().nowNs() + sender.timeoutNs(), farewellTimer);
    }
  }

  void farewellHasArrived(@Nullable Transport from, Farewell reason) {
    if (from != null) {
      network.packets().farewellAck(from).sendOver(out, 0);
    }
    if (!isEnded() && qp != null && reason.failedWr() != Farewell.NONE) {
      qp.refused(reason.failedWr());
    }
    end(reason.at(toString()), null);
  }

  void farewellIsKnown() {
    farewell = null;
    network.timeline().cancel(farewellTimer);
  }

  @Override
  public String toString() {
    return "connection " + local + " -> " + remote;
  }
}
