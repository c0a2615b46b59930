package io.maestro.verbs.iwarp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Takes FPDUs from the socket.
 *
 * <p>Without CRC, the rest of a payload is read by the kernel straight into its region, together
 * with a little of what follows: enough for the next header, so that a stream of large segments
 * costs one system call for each, and many small segments share one. With CRC, an FPDU is first
 * read whole, and nothing of it is placed until its CRC is found right.
 */
final class Receiver {
  private static final long TURN_BYTES = 1 << 20;
  private static final int STAGING_BYTES = 8192;

  /** After a large segment the next is expected to be large: look ahead little, copy little. */
  private static final int SHORT_LOOKAHEAD_BYTES = 256;

  private static final int LARGE_PAYLOAD_BYTES = 4096;

  /** A ULPDU of no bytes with its padding and CRC: RFC 6581 has it as a ready-to-receive. */
  private static final int EMPTY_FPDU_BYTES = 8;

  private final IwarpQueuePair qp;
  private final Inbound inbound;
  private final @Nullable CRC32C crc;
  private final ByteBuffer staging;
  private final ByteBuffer checked;
  private final MemorySegment stagingMemory;
  private final Segment segment;
  private final @Nullable ByteBuffer[] vector = new ByteBuffer[2];
  private int start;
  private int end;
  private boolean inSegment;
  private boolean first = true;
  private @Nullable IwarpRegion target;
  private long targetOffset;
  private int payloadLeft;
  private int trailerLeft;
  private int lookaheadBytes;

  Receiver(IwarpQueuePair qp, Inbound inbound, boolean checksum) {
    this.qp = qp;
    this.inbound = inbound;
    this.crc = checksum ? new CRC32C() : null;
    this.staging = ByteBuffer.allocateDirect(checksum ? 2 * Wire.MAX_FPDU_BYTES : STAGING_BYTES);
    this.checked = staging.duplicate();
    this.stagingMemory = MemorySegment.ofBuffer(staging);
    this.segment = new Segment(staging);
    this.lookaheadBytes = staging.capacity();
  }

  /** Whether the stream is between two FPDUs. */
  boolean isBetweenSegments() {
    return !inSegment && start == end;
  }

  /**
   * Reads and places until the socket is empty or this turn's budget is used up.
   *
   * @return false at the end of the stream
   */
  boolean receive(ByteStream stream) throws IOException {
    long budget = TURN_BYTES;
    while (budget > 0 && qp.isOpen()) {
      long wanted = payloadLeft > 0 ? prepareScatter() : prepareStaging();
      if (wanted == 0) {
        return true;
      }
      long got = payloadLeft > 0 ? stream.read(vector, 0, 2) : stream.read(staging);
      if (got <= 0) {
        return got == 0;
      }
      budget -= got;
      accept((int) got);
      if (got < wanted) {
        return true;
      }
    }
    return true;
  }

  private long prepareScatter() {
    IwarpRegion region = target;
    if (region == null || (inbound.isRevocable() && !region.isOpen())) {
      qp.terminate(Fault.TAGGED_STAG_INVALID, null);
      return 0;
    }
    start = 0;
    end = 0;
    staging.clear().limit(lookaheadBytes);
    vector[0] = region.view(qp.loop().index(), 0, targetOffset, payloadLeft);
    vector[1] = staging;
    return payloadLeft + (long) lookaheadBytes;
  }

  private long prepareStaging() {
    if (start == end) {
      start = 0;
      end = 0;
    } else if (staging.capacity() - start < needed()) {
      staging.limit(end).position(start).compact();
      end -= start;
      start = 0;
    }
    int room = Math.min(staging.capacity() - end, lookaheadBytes);
    staging.limit(end + room).position(end);
    return room;
  }

  /** Bytes that must fit from the current position on, so that the next step can be made. */
  private int needed() {
    return crc == null ? STAGING_BYTES / 2 : Wire.MAX_FPDU_BYTES;
  }

  private void accept(int got) {
    int direct = Math.min(got, payloadLeft);
    payloadLeft -= direct;
    targetOffset += direct;
    end += got - direct;
    staging.clear();
    Fault fault = parse();
    if (fault != null) {
      qp.terminate(fault, fault == Fault.CRC_WRONG || fault == Fault.LENGTH_WRONG ? null : segment);
    }
  }

  private @Nullable Fault parse() {
    while (qp.isOpen()) {
      if (inSegment && !finishSegment()) {
        return null;
      }
      int available = end - start;
      if (available < Wire.MPA_LENGTH_BYTES + 1) {
        return null;
      }
      int ulpduBytes = staging.getShort(start) & 0xFFFF;
      if (ulpduBytes == 0 && first) {
        if (available < EMPTY_FPDU_BYTES) {
          return null;
        }
        start += EMPTY_FPDU_BYTES;
        begun();
        continue;
      }
      int header = Segment.headerBytes(staging.get(start + Wire.MPA_LENGTH_BYTES));
      if (ulpduBytes < header) {
        return Fault.LENGTH_WRONG;
      }
      if (available < Wire.MPA_LENGTH_BYTES + header) {
        return null;
      }
      segment.read(start + Wire.MPA_LENGTH_BYTES, ulpduBytes);
      Fault fault = begin(available);
      if (fault != null || !inSegment) {
        return fault;
      }
    }
    return null;
  }

  /** Begins the segment whose header was read, unless more of it must be here first. */
  private @Nullable Fault begin(int available) {
    if (segment.isControl() && segment.payloadBytes() > TerminateMessage.MAX_BYTES) {
      return Fault.MALFORMED_MESSAGE;
    }
    int ulpduBytes = segment.ulpduBytes();
    int trailer = Wire.padding(ulpduBytes) + Wire.CRC_BYTES;
    if (crc != null || segment.isControl()) {
      int whole = Wire.MPA_LENGTH_BYTES + ulpduBytes + trailer;
      if (available < whole) {
        return null;
      }
      if (crc != null && !isIntact(crc, whole)) {
        return Fault.CRC_WRONG;
      }
    }
    Fault fault = inbound.accept(segment);
    if (fault != null) {
      return fault;
    }
    inSegment = true;
    target = inbound.target();
    targetOffset = inbound.targetOffset();
    start += Wire.MPA_LENGTH_BYTES + segment.headerBytes();
    int payload = segment.payloadBytes();
    payloadLeft = target == null ? 0 : payload;
    trailerLeft = trailer + payload - payloadLeft;
    boolean large = crc == null && payload >= LARGE_PAYLOAD_BYTES;
    lookaheadBytes = large ? SHORT_LOOKAHEAD_BYTES : staging.capacity();
    return null;
  }

  private boolean isIntact(CRC32C sum, int fpduBytes) {
    int covered = fpduBytes - Wire.CRC_BYTES;
    sum.reset();
    sum.update(checked.limit(start + covered).position(start));
    return Integer.reverseBytes((int) sum.getValue()) == staging.getInt(start + covered);
  }

  /** Goes on with the current segment; whether it is finished. */
  private boolean finishSegment() {
    IwarpRegion region = target;
    if (payloadLeft > 0 && region != null) {
      int bytes = Math.min(payloadLeft, end - start);
      MemorySegment.copy(stagingMemory, start, region.memory(), targetOffset, bytes);
      start += bytes;
      targetOffset += bytes;
      payloadLeft -= bytes;
      if (payloadLeft > 0) {
        return false;
      }
    }
    int skipped = Math.min(trailerLeft, end - start);
    start += skipped;
    trailerLeft -= skipped;
    if (trailerLeft > 0) {
      return false;
    }
    inSegment = false;
    target = null;
    inbound.placed(segment);
    begun();
    return true;
  }

  private void begun() {
    if (first) {
      first = false;
      qp.peerHasBegun();
    }
  }
}
