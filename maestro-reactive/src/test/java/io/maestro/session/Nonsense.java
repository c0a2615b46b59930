package io.maestro.session;

import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/** What a hostile peer may say: messages of small numbers, so that some meet something. */
final class Nonsense {
  private static final int SMALL = 6;

  private Nonsense() {}

  static void say(HostilePeer peer, SplittableRandom random) {
    switch (random.nextInt(12)) {
      case 0 -> peer.send(bytes(random, random.nextInt(2000)));
      case 1 -> peer.send(almost(random));
      case 2 -> write(peer, random);
      case 3, 4 -> peer.sayWith(0, announce(peer, random));
      case 5 -> peer.sayWith(random.nextInt(SMALL), message(random));
      default -> peer.say(message(random));
    }
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** A header that may pass, and any body. */
  private static byte[] almost(SplittableRandom random) {
    byte[] bytes = new byte[MessageHeader.BYTES + random.nextInt(64)];
    bytes[MessageHeader.TYPE] = (byte) random.nextInt(16);
    bytes[MessageHeader.CONTROL_SEQ + 7] = (byte) random.nextInt(SMALL);
    bytes[MessageHeader.BODY_LENGTH + 3] = (byte) (bytes.length - MessageHeader.BYTES);
    for (int at = MessageHeader.BYTES; at < bytes.length; at++) {
      bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(SMALL) : random.nextInt());
    }
    return bytes;
  }

  private static void write(HostilePeer peer, SplittableRandom random) {
    if (peer.places().isEmpty() || random.nextInt(4) == 0) {
      peer.write(random.nextLong(), random.nextInt(), random.nextInt(4096));
    } else {
      Control.Cts place = peer.places().get(random.nextInt(peer.places().size()));
      peer.write(place.address() + random.nextInt(3), place.rkey(), random.nextInt(4096));
    }
  }

  private static ToIntFunction<WireWriter> announce(HostilePeer peer, SplittableRandom random) {
    int slot =
        peer.places().isEmpty()
            ? random.nextInt()
            : peer.places().get(random.nextInt(peer.places().size())).slot();
    int first = random.nextInt(2);
    int count = random.nextInt(1, 3);
    return to -> {
      to.addRun(slot, first, count);
      return to.notifyRuns();
    };
  }

  private static ToIntFunction<WireWriter> message(SplittableRandom random) {
    long number = random.nextInt(SMALL);
    int small = random.nextInt(SMALL);
    return switch (random.nextInt(10)) {
      case 0 -> to -> to.credit(number);
      case 1 -> to -> to.cts(number, small, number, small);
      case 2 -> to -> to.abort(number, AbortReason.RECEIVER_CANCELLED, number);
      case 3 -> to -> small == 0 ? to.bye() : to.ping();
      case 4 -> to -> to.fence(small == 1 ? 0 : small, 0);
      case 5 -> to -> to.fenced(small, 0, number);
      case 6 -> to -> to.cancel(number);
      default -> to -> to.rts(number, 1 + small * 2000L, small, new byte[small]);
    };
  }
}
