package io.maestro.verbs;

import io.maestro.verbs.RecordingHandler.Wc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One end of a connection under random traffic, with a model of what its peer's memory and its own
 * must hold at the end. A SEND is only posted when the peer has a receive for it; the last work
 * request is a SEND, behind which nothing is under way.
 */
final class TrafficEnd {
  /** Four equal areas: what is sent, what the peer writes, what is read, what is received. */
  static final int REGION_BYTES = 1 << 20;

  private static final int AREA_BYTES = REGION_BYTES / 4;
  private static final int INBOX = AREA_BYTES;
  private static final int READ_AREA = 2 * AREA_BYTES;
  private static final int RECV_AREA = 3 * AREA_BYTES;
  private static final int SLOTS = 32;
  private static final int SLOT_BYTES = AREA_BYTES / SLOTS;

  private final RecordingHandler handler;
  private final MemoryRegion region;
  private final Random random;
  private final int total;
  private final byte[] sources = new byte[AREA_BYTES];
  private final byte[] peerInbox = new byte[AREA_BYTES];
  private final byte[] readArea = new byte[AREA_BYTES];
  private final Queue<byte[]> toArrive = new ConcurrentLinkedQueue<>();
  private final AtomicInteger credits = new AtomicInteger(SLOTS);
  private final List<String> failures = new ArrayList<>();
  private TrafficEnd peer = this;
  private int posted;
  private int completed;
  private int nextSlot;
  private volatile boolean sentAll;
  private volatile boolean receivedLast;

  TrafficEnd(RecordingHandler handler, MemoryRegion region, Random random, int total) {
    this.handler = handler;
    this.region = region;
    this.random = random;
    this.total = total;
    random.nextBytes(sources);
    region.memory().asSlice(0, AREA_BYTES).copyFrom(MemorySegment.ofArray(sources));
    handler.whenCreated(this::postAllReceives).whenCompleted(this::onCompletion);
  }

  void isPeerOf(TrafficEnd other) {
    peer = other;
  }

  RecordingHandler handler() {
    return handler;
  }

  private void postAllReceives(QueuePair qp) {
    for (int i = 0; i < SLOTS; i++) {
      postReceive(qp, i);
    }
  }

  private void postReceive(QueuePair qp, int slot) {
    if (!qp.postRecv(slot, region, RECV_AREA + (long) slot * SLOT_BYTES, SLOT_BYTES)) {
      fail("a receive is not taken");
    }
  }

  /** Posts as much as is taken; on the loop. */
  void start(QueuePair qp) {
    while (posted < total && postNext(qp)) {
      posted++;
    }
  }

  private boolean postNext(QueuePair qp) {
    if (posted == total - 1 || random.nextInt(4) == 0) {
      return credits.get() > 0 ? postSend(qp) : posted < total - 1 && postWrite(qp);
    }
    return random.nextInt(3) == 0 ? postRead(qp) || postWrite(qp) : postWrite(qp);
  }

  private boolean postSend(QueuePair qp) {
    int length = random.nextInt(SLOT_BYTES + 1);
    int from = random.nextInt(AREA_BYTES - length);
    if (!qp.postSend(posted, region, from, length)) {
      return false;
    }
    toArrive.add(Arrays.copyOfRange(sources, from, from + length));
    credits.decrementAndGet();
    sentAll = posted == total - 1;
    return true;
  }

  private boolean postWrite(QueuePair qp) {
    int length = length();
    int from = random.nextInt(AREA_BYTES - length);
    int to = random.nextInt(AREA_BYTES - length);
    long remote = peer.region.remoteAddress() + INBOX + to;
    if (!qp.postWrite(posted, region, from, length, remote, peer.region.rkey())) {
      return false;
    }
    System.arraycopy(sources, from, peerInbox, to, length);
    return true;
  }

  private boolean postRead(QueuePair qp) {
    int length = length();
    int from = random.nextInt(AREA_BYTES - length);
    int to = random.nextInt(AREA_BYTES - length);
    long remote = peer.region.remoteAddress() + from;
    if (!qp.postRead(posted, region, READ_AREA + to, length, remote, peer.region.rkey())) {
      return false;
    }
    System.arraycopy(peer.sources, from, readArea, to, length);
    return true;
  }

  private int length() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(4);
      case 1 -> random.nextInt(4096);
      case 2 -> 50_000;
      default -> random.nextInt(AREA_BYTES);
    };
  }

  private void onCompletion(QueuePair qp, Wc wc) {
    if (wc.status() == WcStatus.FLUSHED && isDone()) {
      return;
    }
    if (wc.status() != WcStatus.SUCCESS) {
      fail("unexpected " + wc);
    } else if (wc.opcode() == WcOpcode.RECV) {
      onReceived(qp, wc);
    } else if (wc.wrId() != completed++) {
      fail("out of order: " + wc);
    }
    start(qp);
  }

  private void onReceived(QueuePair qp, Wc wc) {
    byte[] expected = peer.toArrive.remove();
    long at = RECV_AREA + wc.wrId() * SLOT_BYTES;
    byte[] actual = region.memory().asSlice(at, wc.byteLength()).toArray(ValueLayout.JAVA_BYTE);
    if (wc.wrId() != nextSlot || !Arrays.equals(expected, actual)) {
      fail("received something else than was sent: " + wc);
    }
    nextSlot = (nextSlot + 1) % SLOTS;
    receivedLast = peer.sentAll && peer.toArrive.isEmpty();
    postReceive(qp, (int) wc.wrId());
    peer.credits.incrementAndGet();
    peer.wake();
  }

  /** The peer may wait for a credit and nothing else: let it look again. */
  private void wake() {
    handler.qp().loop().execute(() -> resume(handler.qp()));
  }

  private void resume(QueuePair qp) {
    start(qp);
    qp.flush();
  }

  private synchronized void fail(String what) {
    failures.add(what);
  }

  boolean isDone() {
    return receivedLast
        && handler.completions().stream().filter(TrafficEnd::isSent).count() == total;
  }

  private static boolean isSent(Wc wc) {
    return wc.opcode() != WcOpcode.RECV;
  }

  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** Where the memory of this end and the inbox of its peer differ from the model. */
  List<String> differences() {
    List<String> differences = new ArrayList<>();
    compare("read area", readArea, region, READ_AREA, differences);
    compare("peer's inbox", peerInbox, peer.region, INBOX, differences);
    compare("sources", sources, region, 0, differences);
    return differences;
  }

  private static void compare(
      String area, byte[] expected, MemoryRegion in, int offset, List<String> differences) {
    long at =
        MemorySegment.mismatch(
            MemorySegment.ofArray(expected),
            0,
            AREA_BYTES,
            in.memory(),
            offset,
            offset + AREA_BYTES);
    if (at >= 0) {
      differences.add(area + " differs at byte " + at);
    }
  }
}
