package io.maestro.verbs.iwarp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/** Reads one start-up frame and not a byte more, as it comes. */
final class FrameReader {

  /** How far the frame has come. */
  enum Progress {
    INCOMPLETE,
    COMPLETE,
    MALFORMED,
    /** The peer closed before the first byte. */
    CLOSED,
    /** The peer closed in the middle. */
    TRUNCATED
  }

  private final boolean reply;
  private final ByteBuffer bytes =
      ByteBuffer.allocate(MpaFrame.HEADER_BYTES + MpaFrame.MAX_PRIVATE_DATA_BYTES);
  private boolean headerKnown;

  FrameReader(boolean reply) {
    this.reply = reply;
    bytes.limit(MpaFrame.HEADER_BYTES);
  }

  Progress read(ReadableByteChannel channel) throws IOException {
    while (true) {
      if (!bytes.hasRemaining()) {
        if (headerKnown) {
          return Progress.COMPLETE;
        }
        int total = MpaFrame.totalBytes(bytes, reply);
        if (total < 0) {
          return Progress.MALFORMED;
        }
        headerKnown = true;
        bytes.limit(total);
        continue;
      }
      int got = channel.read(bytes);
      if (got < 0) {
        return bytes.position() == 0 ? Progress.CLOSED : Progress.TRUNCATED;
      }
      if (got == 0) {
        return Progress.INCOMPLETE;
      }
    }
  }

  /** The frame, when it is complete. */
  MpaFrame frame() {
    return MpaFrame.decode(bytes, reply);
  }
}
