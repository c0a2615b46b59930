package io.maestro.collective;

import io.maestro.api.MaestroException;

/**
 * Watches that a peer makes the calls that this rank makes, and bounds how far it is ahead: whoever
 * sends in a call learns before the call ends that the receiver is in it too, so that messages come
 * from the call that this rank is in and from one later call, never from a third.
 *
 * <p>{@link #enter} is called by whoever begins a call, {@link #check} by whoever takes messages.
 */
final class Agreement {

  private final int peer;
  private volatile Tag now;
  private volatile Tag later;

  Agreement(int peer, Tag.Kind kind) {
    this.peer = peer;
    now = Tag.first(kind);
    later = now;
  }

  /**
   * This rank begins a call.
   *
   * @throws MaestroException.Refused when the peer has begun another one in its place
   */
  void enter(Tag call) {
    now = call;
    requireSame(call, later);
  }

  /**
   * The peer has sent a message of a call.
   *
   * @throws MaestroException.Refused when the peer makes another call, or is too far ahead
   */
  void check(Tag message) {
    Tag mine = now;
    if (message.call() < mine.call()) {
      throw new MaestroException.Refused(
          "rank %d sent a message of call %d, which has ended here: this rank is in call %d"
              .formatted(peer, message.call(), mine.call()),
          null);
    }
    if (message.call() > mine.call()) {
      isNext(message, mine);
    }
    requireSame(now, message);
  }

  private void isNext(Tag message, Tag mine) {
    Tag before = later;
    if (before.call() > mine.call() && before.call() != message.call()) {
      throw new MaestroException.Refused(
          "rank %d is in call %d while this rank is in call %d: it does not wait for others"
              .formatted(peer, Math.max(before.call(), message.call()), mine.call()),
          null);
    }
    later = message;
  }

  private void requireSame(Tag mine, Tag theirs) {
    if (mine.call() == theirs.call() && mine.what() != theirs.what()) {
      throw new MaestroException.Refused(
          "call %d of rank %d is another one than here: make the same calls with the same sizes,"
                  .formatted(mine.call(), peer)
              + " types and operations in the same order on all ranks",
          null);
    }
  }
}
