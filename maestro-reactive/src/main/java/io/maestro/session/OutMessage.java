package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** A message on its way out. Session's loop only. */
final class OutMessage {

  /** Where a message stands. */
  enum State {
    WAITING("waiting for the receiver's demand"),
    SMALL_SENT("waiting for the receiver to take it"),
    OFFERED("waiting for room in the receiver's memory budget"),
    MOVING("moving"),
    ENDED("ended");

    private final String text;

    State(String text) {
      this.text = text;
    }
  }

  private final Region region;
  private final byte[] header;
  private final int priority;
  private final long deadlineNs;
  private final MonoSink<Void> sink;
  private State state = State.WAITING;
  private long seq;
  private @Nullable Transfer transfer;

  OutMessage(Region region, SendOptions options, long deadlineNs, MonoSink<Void> sink) {
    this.region = region.retain();
    this.header = copy(options.header());
    this.priority = options.priority();
    this.deadlineNs = deadlineNs;
    this.sink = sink;
  }

  private static byte[] copy(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  Region region() {
    return region;
  }

  byte[] header() {
    return header;
  }

  int priority() {
    return priority;
  }

  State state() {
    return state;
  }

  long seq() {
    return seq;
  }

  @Nullable Transfer transfer() {
    return transfer;
  }

  boolean overdue(long nowNs) {
    return state != State.ENDED && deadlineNs - nowNs <= 0;
  }

  void started(long newSeq, State newState) {
    seq = newSeq;
    state = newState;
  }

  void moving(Transfer newTransfer) {
    transfer = newTransfer;
    state = State.MOVING;
  }

  void complete() {
    if (end()) {
      sink.success();
    }
  }

  /** Tells the sender; the memory stays held while chunks are in flight, see {@link #end}. */
  void fail(MaestroException reason) {
    sink.error(reason);
  }

  /** Gives up the memory, once; false when that was done before. */
  boolean end() {
    if (state == State.ENDED) {
      return false;
    }
    state = State.ENDED;
    region.release();
    return true;
  }

  @Override
  public String toString() {
    return "message %d of %d bytes, %s".formatted(seq, region.size(), state.text);
  }
}
