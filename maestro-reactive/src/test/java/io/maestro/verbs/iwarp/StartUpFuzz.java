package io.maestro.verbs.iwarp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * What a peer may send as its start-up frame, as a target of fuzzing: it is taken or refused, reads
 * nothing beyond its length, and what is taken is written in the same way.
 */
public final class StartUpFuzz {
  private StartUpFuzz() {}

  /** Runs one input; throws when it does what it must not. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    boolean reply = (input[0] & 1) != 0;
    int atOnce = 1 + ((input[0] & 0xFF) >> 1);
    byte[] rest = Arrays.copyOfRange(input, 1, input.length);
    FrameReader reader = new FrameReader(reply);
    StreamChannel channel = new StreamChannel(rest, atOnce);
    try {
      FrameReader.Progress progress = reader.read(channel);
      while (progress == FrameReader.Progress.INCOMPLETE) {
        progress = reader.read(channel);
      }
      if (progress == FrameReader.Progress.COMPLETE) {
        check(reader.frame(), rest);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void check(MpaFrame frame, byte[] sent) {
    ByteBuffer again = frame.encode();
    if (again.remaining() > sent.length
        || frame.privateData().remaining() > MpaFrame.MAX_PRIVATE_DATA_BYTES) {
      throw new AssertionError("more was read than was sent: " + frame);
    }
    MpaFrame decoded = MpaFrame.decode(again, frame.reply());
    if (!decoded.equals(frame)) {
      throw new AssertionError(decoded + " was made of " + frame);
    }
  }
}
