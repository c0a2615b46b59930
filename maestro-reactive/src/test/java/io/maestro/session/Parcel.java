package io.maestro.session;

import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** What is known of one message of a simulated run, at both ends. */
final class Parcel {
  final Deed.Send send;
  final long sentNs;
  boolean done;
  boolean cancelled;
  @Nullable Throwable failure;
  long endedNs = -1;
  int arrivals;
  int frees;
  @Nullable Disposable sending;

  Parcel(Deed.Send send, long sentNs) {
    this.send = send;
    this.sentNs = sentNs;
  }

  Side from() {
    return send.from();
  }

  boolean isOpen() {
    return !cancelled && endedNs < 0;
  }

  /** What its bytes follow from. */
  long pattern() {
    return pattern(send.from(), send.number());
  }

  static long pattern(Side from, int number) {
    return 2L * number + from.number();
  }

  @Override
  public String toString() {
    String end =
        done ? "done" : cancelled ? "cancelled" : failure == null ? "open" : "failed: " + failure;
    return "%s %d of %d bytes (%s, came %d times)"
        .formatted(send.from(), send.number(), send.bytes(), end, arrivals);
  }
}
