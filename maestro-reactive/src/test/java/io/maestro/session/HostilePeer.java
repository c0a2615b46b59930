package io.maestro.session;

import io.maestro.verbs.Completions;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.Device;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A peer that knows the secret, opens a session as it should, and then says what it likes. */
final class HostilePeer implements QueuePairHandler {
  private static final int SLOT_BYTES = 4096;
  private static final int SLOTS = 256;
  private static final SessionParameters OFFER =
      new SessionParameters(4096, 1024, 16, 1, 1_000_000_000L);

  private final Device device;
  private final ProtectionDomain domain;
  private final MemoryRegion sends;
  private final MemoryRegion receives;
  private final ClientHandshake handshake;
  private final WireReader reader = new WireReader();
  private final WireWriter writer = new WireWriter();
  private final List<Control.Cts> places = new ArrayList<>();
  private @Nullable QueuePair qp;
  private @Nullable SessionKeys keys;
  private @Nullable VerbsException ended;
  private long nextControl = 1;
  private int nextSlot;
  private int consumed;

  HostilePeer(Device device, Arena arena, String secret) {
    this.device = device;
    domain = device.allocateDomain();
    sends = domain.register(arena.allocate((long) SLOT_BYTES * SLOTS), Set.of());
    receives = domain.register(arena.allocate((long) SLOT_BYTES * SendQueue.DEPTH), Set.of());
    handshake = new ClientHandshake(secret, "mallory", OFFER, new SecureRandom());
  }

  /** What it asks a server with; the same each time, as a replay would be. */
  ByteBuffer request() {
    return handshake.connect();
  }

  void connect(InetSocketAddress from, InetSocketAddress to, ByteBuffer privateData) {
    QpOptions options = new QpOptions(domain, device.loops().getFirst(), SLOTS, SendQueue.DEPTH, 4);
    device.connect(new ConnectOptions(from, to, options, privateData, 1_000_000_000L), this);
  }

  /** Whether the session is open at this end, or has ended. */
  boolean isSettled() {
    return keys != null || ended != null;
  }

  boolean hasEnded() {
    return ended != null;
  }

  SessionKeys keys() {
    if (keys == null) {
      throw new IllegalStateException("there is no session");
    }
    return keys;
  }

  /** Places for messages that it has been given. */
  List<Control.Cts> places() {
    return places;
  }

  /** Does something with the queue pair, on its loop, while there is one. */
  void act(Consumer<QueuePair> deed) {
    QueuePair pair = qp;
    if (pair != null) {
      pair.loop()
          .execute(
              () -> {
                deed.accept(pair);
                pair.flush();
              });
    }
  }

  /** Sends a control message with the next number; the header is as it should be. */
  void say(ToIntFunction<WireWriter> message) {
    sayWith(nextControl++, message);
  }

  /** Sends a control message with any number. */
  void sayWith(long controlSeq, ToIntFunction<WireWriter> message) {
    act(
        pair -> {
          long offset = slot();
          writer.wrap(sends.memory(), offset, SLOT_BYTES).controlSeq(controlSeq);
          int length = message.applyAsInt(writer);
          MessageHeader.patch(sends.memory(), offset, consumed, 0);
          pair.postSend(1, sends, offset, length);
        });
  }

  /** Sends any bytes. */
  void send(byte[] bytes) {
    act(
        pair -> {
          long offset = slot();
          MemorySegment.copy(bytes, 0, sends.memory(), MessageHeader.U8, offset, bytes.length);
          pair.postSend(1, sends, offset, bytes.length);
        });
  }

  void write(long address, int rkey, int length) {
    act(pair -> pair.postWrite(2, sends, 0, length, address, rkey));
  }

  private long slot() {
    return (long) (nextSlot++ % SLOTS) * SLOT_BYTES;
  }

  private void receive(int slot) {
    if (qp != null) {
      qp.postRecv(slot, receives, (long) slot * SLOT_BYTES, SLOT_BYTES);
    }
  }

  @Override
  public void onCreated(QueuePair created) {
    qp = created;
    for (int slot = 0; slot < SendQueue.DEPTH; slot++) {
      receive(slot);
    }
  }

  @Override
  public void onEstablished(QueuePair pair, ByteBuffer privateData) {
    keys = handshake.onAccept(privateData);
  }

  @Override
  public void onCompletions(QueuePair pair, Completions completions) {
    for (int i = 0; i < completions.size(); i++) {
      if (completions.opcode(i) == WcOpcode.RECV && completions.status(i) == WcStatus.SUCCESS) {
        int slot = (int) completions.wrId(i);
        hear((long) slot * SLOT_BYTES, completions.byteLength(i));
        consumed++;
        receive(slot);
      }
    }
  }

  private void hear(long offset, int length) {
    if (reader.wrap(receives.memory(), offset, length) && reader.type() == ControlType.CTS) {
      places.add(new Control.Cts(reader.msgSeq(), reader.slot(), reader.base(), reader.rkey()));
    }
  }

  @Override
  public void onClosed(VerbsException cause) {
    qp = null;
    ended = cause;
  }
}
