package io.maestro.verbs.iwarp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Encoded FPDUs that wait for the socket: headers and CRCs in a small direct buffer, payloads as
 * ranges of regions. One gathering write hands over all of it.
 *
 * <p>A stream position counts the bytes since the connection was established.
 */
final class TxBatch {
  /** Below every system's limit of buffers in one writev (IOV_MAX is 1,024 on Linux and macOS). */
  private static final int MAX_PIECES = 64;

  /** Beyond 128 KiB nothing measurable is gained: docs/iwarp.md. */
  private static final long TARGET_BYTES = 512 * 1024;

  private static final int META_BYTES = 8192;

  /** Room that one FPDU may need: header, READ request, padding and CRC. */
  private static final int META_RESERVE_BYTES = 64;

  /** FPDUs that fit in the meta buffer: none takes less than 20 bytes of it. */
  private static final int MAX_FPDUS = 512;

  private final int loop;
  private final @Nullable CRC32C crc;
  private final ByteBuffer meta = ByteBuffer.allocateDirect(META_BYTES);
  private final ByteBuffer[] metaViews = new ByteBuffer[MAX_PIECES];
  private final @Nullable ByteBuffer[] vector = new ByteBuffer[MAX_PIECES];
  private final @Nullable IwarpRegion[] regions = new IwarpRegion[MAX_PIECES];
  private final long[] offsets = new long[MAX_PIECES];
  private final int[] lengths = new int[MAX_PIECES];
  private final boolean[] revocable = new boolean[MAX_PIECES];
  private final long[] boundaries = new long[MAX_FPDUS];
  private int firstBoundary;
  private int boundaryCount;
  private long lastBoundary;
  private int head;
  private int tail;
  private int runStart;
  private int fpduStart;
  private int ulpduBytes;
  private long appended;
  private long sent;

  TxBatch(int loop, boolean checksum) {
    this.loop = loop;
    this.crc = checksum ? new CRC32C() : null;
    for (int i = 0; i < MAX_PIECES; i++) {
      metaViews[i] = meta.duplicate();
    }
  }

  /** Whether another FPDU may be added now. */
  boolean hasRoom() {
    if (pendingBytes() >= TARGET_BYTES) {
      return false;
    }
    if (isTight()) {
      compact();
    }
    return !isTight();
  }

  private boolean isTight() {
    return tail + 4 > MAX_PIECES
        || meta.remaining() < META_RESERVE_BYTES
        || boundaryCount == MAX_FPDUS;
  }

  boolean isEmpty() {
    return pendingBytes() == 0;
  }

  long pendingBytes() {
    return appendedPosition() - sent;
  }

  long appendedPosition() {
    return appended + meta.position() - runStart;
  }

  long sentPosition() {
    return sent;
  }

  /** Begins a tagged FPDU; {@code control} holds the L bit and the RDMAP opcode. */
  void beginTagged(int control, int stag, long address, int payloadBytes) {
    begin(Wire.TAGGED | control, Wire.TAGGED_HEADER_BYTES + payloadBytes);
    meta.putInt(stag).putLong(address);
    checksumHeader();
  }

  /** Begins an untagged FPDU; {@code control} holds the L bit and the RDMAP opcode. */
  void beginUntagged(int control, int queue, int msn, int offset, int payloadBytes) {
    begin(control, Wire.UNTAGGED_HEADER_BYTES + payloadBytes);
    meta.putInt(0).putInt(queue).putInt(msn).putInt(offset);
    checksumHeader();
  }

  private void begin(int control, int bytes) {
    fpduStart = meta.position();
    ulpduBytes = bytes;
    meta.putShort((short) bytes);
    meta.put((byte) ((control & (Wire.TAGGED | Wire.LAST)) | Wire.DDP_VERSION));
    meta.put((byte) ((control & Wire.OPCODE_MASK) | Wire.RDMAP_VERSION));
  }

  private void checksumHeader() {
    if (crc != null) {
      crc.reset();
      checksumMeta(fpduStart);
    }
  }

  private void checksumMeta(int from) {
    if (crc != null) {
      crc.update(metaViews[0].limit(meta.position()).position(from));
    }
  }

  /** The payload of a READ request, RFC 5040 section 4.4. */
  void readRequest(IwarpRegion sink, long sinkOffset, int bytes, long source, int sourceStag) {
    int start = meta.position();
    meta.putInt(sink.rkey()).putLong(sink.remoteAddress() + sinkOffset).putInt(bytes);
    meta.putInt(sourceStag).putLong(source);
    checksumMeta(start);
  }

  /** Adds payload; revocable when the region's end takes back the right to send it. */
  void payload(IwarpRegion region, long offset, int bytes, boolean mayBeRevoked) {
    if (bytes == 0) {
      return;
    }
    closeRun();
    regions[tail] = region;
    offsets[tail] = offset;
    lengths[tail] = bytes;
    revocable[tail] = mayBeRevoked;
    tail++;
    appended += bytes;
    if (crc != null) {
      crc.update(region.view(loop, MAX_PIECES, offset, bytes));
    }
  }

  /** Ends the FPDU with its padding and CRC. */
  void end() {
    int start = meta.position();
    for (int i = Wire.padding(ulpduBytes); i > 0; i--) {
      meta.put((byte) 0);
    }
    checksumMeta(start);
    // CRC32C goes out least significant byte first, as in iSCSI; unused, it is 0.
    meta.putInt(crc == null ? 0 : Integer.reverseBytes((int) crc.getValue()));
    boundaries[(firstBoundary + boundaryCount) % MAX_FPDUS] = appendedPosition();
    boundaryCount++;
  }

  private void closeRun() {
    int bytes = meta.position() - runStart;
    if (bytes == 0) {
      return;
    }
    regions[tail] = null;
    offsets[tail] = runStart;
    lengths[tail] = bytes;
    revocable[tail] = false;
    tail++;
    appended += bytes;
    runStart = meta.position();
  }

  /** Whether a payload that waits may no longer be sent, because its region was closed. */
  boolean isRevoked() {
    for (int i = head; i < tail; i++) {
      IwarpRegion region = regions[i];
      if (revocable[i] && region != null && !region.isOpen()) {
        return true;
      }
    }
    return false;
  }

  /** Writes what the socket takes, and returns how many bytes that was. */
  long write(ByteStream stream) throws IOException {
    closeRun();
    for (int i = head; i < tail; i++) {
      vector[i] = view(i);
    }
    long written = stream.write(vector, head, tail - head);
    Arrays.fill(vector, head, tail, null);
    consume(written);
    return written;
  }

  private ByteBuffer view(int piece) {
    IwarpRegion region = regions[piece];
    if (region != null) {
      return region.view(loop, piece, offsets[piece], lengths[piece]);
    }
    int start = (int) offsets[piece];
    return metaViews[piece].limit(start + lengths[piece]).position(start);
  }

  private void consume(long bytes) {
    sent += bytes;
    long left = bytes;
    while (left > 0) {
      int step = (int) Math.min(left, lengths[head]);
      offsets[head] += step;
      lengths[head] -= step;
      left -= step;
      if (lengths[head] == 0) {
        regions[head++] = null;
      }
    }
    while (boundaryCount > 0 && boundaries[firstBoundary] <= sent) {
      lastBoundary = boundaries[firstBoundary];
      firstBoundary = (firstBoundary + 1) % MAX_FPDUS;
      boundaryCount--;
    }
    if (head == tail) {
      head = 0;
      tail = 0;
      runStart = 0;
      meta.clear();
    }
  }

  /** Moves what waits to the front of its arrays. */
  private void compact() {
    closeRun();
    if (head == 0 && tail == 0) {
      return;
    }
    int count = tail - head;
    System.arraycopy(regions, head, regions, 0, count);
    System.arraycopy(offsets, head, offsets, 0, count);
    System.arraycopy(lengths, head, lengths, 0, count);
    System.arraycopy(revocable, head, revocable, 0, count);
    Arrays.fill(regions, count, tail, null);
    head = 0;
    tail = count;
    int from = meta.position();
    for (int i = count - 1; i >= 0; i--) {
      from = regions[i] == null ? (int) offsets[i] : from;
    }
    for (int i = 0; i < count; i++) {
      offsets[i] -= regions[i] == null ? from : 0;
    }
    meta.flip().position(from).compact();
    runStart = meta.position();
  }

  /**
   * A copy of the unsent rest of an FPDU that is sent in part, so that the stream can end between
   * FPDUs; empty when it does already; null when that memory is no longer there.
   */
  @Nullable ByteBuffer restOfFpdu() {
    if (sent == lastBoundary || boundaryCount == 0) {
      return ByteBuffer.allocate(0);
    }
    closeRun();
    ByteBuffer rest = ByteBuffer.allocate((int) (boundaries[firstBoundary] - sent));
    rest.order(ByteOrder.BIG_ENDIAN);
    for (int i = head; i < tail && rest.hasRemaining(); i++) {
      IwarpRegion region = regions[i];
      if (region != null && !isReadable(region, revocable[i])) {
        return null;
      }
      ByteBuffer view = view(i);
      rest.put(view.limit(Math.min(view.limit(), view.position() + rest.remaining())));
    }
    return rest.flip();
  }

  private static boolean isReadable(IwarpRegion region, boolean mayBeRevoked) {
    MemorySegment memory = region.memory();
    return memory.scope().isAlive() && (region.isOpen() || !mayBeRevoked);
  }
}
