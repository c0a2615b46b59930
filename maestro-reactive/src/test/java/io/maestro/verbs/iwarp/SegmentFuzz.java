package io.maestro.verbs.iwarp;

import io.maestro.verbs.Completions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a peer may send after the start-up, as a target of fuzzing: whatever it is, the connection
 * ends once and in time, for a reason that is not this side's, and no byte lands outside.
 *
 * <p>The first byte of an input says how the rest is sent: bit 0 with CRC; bit 1 in FPDUs that the
 * target makes, each from a byte with its length and as many bytes; the other bits how much comes
 * at a time. {@code STAG} and {@code ADDRESS!} become those of the exported region, which nobody
 * could guess.
 */
public final class SegmentFuzz {
  private static final int CHECKSUM = 1;
  private static final int FRAMED = 2;
  private static final byte[] STAG = "STAG".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ADDRESS = "ADDRESS!".getBytes(StandardCharsets.US_ASCII);
  private static final int SECONDS = 10;

  private static final WireFixture FIXTURE = new WireFixture();

  private SegmentFuzz() {}

  /** Runs one input; throws when it does what it must not. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length == 0) {
      return;
    }
    boolean checksum = (input[0] & CHECKSUM) != 0;
    byte[] rest = withRealNames(Arrays.copyOfRange(input, 1, input.length));
    byte[] stream = (input[0] & FRAMED) != 0 ? framed(rest, checksum) : rest;
    int atOnce = 1 + 16 * ((input[0] & 0xFF) >> 2);
    Ended ended = play(new StreamChannel(stream, atOnce), checksum);
    VerbsException cause = ended.cause;
    if (cause == null || cause.kind() == VerbsException.Kind.LOCAL) {
      throw new AssertionError("the connection ended with " + cause, cause);
    }
    if (ended.receives != WireFixture.RECEIVES) {
      throw new AssertionError(ended.receives + " receives were completed");
    }
    if (!FIXTURE.guardsAreUntouched()) {
      throw new AssertionError("bytes landed outside of the region");
    }
  }

  private static byte[] withRealNames(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int at = 0; at < bytes.length; at++) {
      if (isAt(bytes, at, STAG)) {
        buffer.putInt(at, FIXTURE.target.rkey());
      } else if (isAt(bytes, at, ADDRESS)) {
        buffer.putLong(at, FIXTURE.target.remoteAddress());
      }
    }
    return bytes;
  }

  private static boolean isAt(byte[] bytes, int at, byte[] word) {
    return at + word.length <= bytes.length
        && Arrays.equals(bytes, at, at + word.length, word, 0, word.length);
  }

  private static byte[] framed(byte[] bytes, boolean checksum) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (int at = 0; at < bytes.length; ) {
      int length = Math.min(bytes[at] & 0xFF, bytes.length - at - 1);
      byte[] ulpdu = Arrays.copyOfRange(bytes, at + 1, at + 1 + length);
      stream.writeBytes(WireBytes.fpdu(checksum, ulpdu));
      at += 1 + length;
    }
    return stream.toByteArray();
  }

  private static Ended play(StreamChannel channel, boolean checksum) {
    IwarpLoop loop = (IwarpLoop) FIXTURE.device.loops().getFirst();
    Ended ended = new Ended();
    loop.execute(() -> start(channel, checksum, ended));
    try {
      if (!ended.latch.await(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the connection did not end");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return ended;
  }

  private static void start(StreamChannel channel, boolean checksum, Ended ended) {
    try {
      IwarpQueuePair qp =
          new IwarpQueuePair(FIXTURE.qp(), new PlainStream(channel), Ended.NOBODY, ended);
      qp.create();
      StreamChannel.Key key = channel.new Key();
      qp.establish(key, new MpaTerms(checksum, true, false, 2, 2), ByteBuffer.allocate(0));
      while (qp.isOpen()) {
        qp.onReady(key);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How a queue pair ends. */
  private static final class Ended implements QueuePairHandler {
    private static final InetSocketAddress NOBODY =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);

    private final CountDownLatch latch = new CountDownLatch(1);
    private volatile @Nullable VerbsException cause;
    private int receives;

    @Override
    public void onCreated(QueuePair qp) {
      for (int i = 0; i < WireFixture.RECEIVES; i++) {
        long offset = (long) i * WireFixture.RECV_BYTES;
        qp.postRecv(i, FIXTURE.receives, offset, WireFixture.RECV_BYTES);
      }
    }

    @Override
    public void onEstablished(QueuePair qp, ByteBuffer privateData) {
      // The stream follows.
    }

    @Override
    public void onCompletions(QueuePair qp, Completions completions) {
      receives += completions.size();
    }

    @Override
    public void onClosed(VerbsException why) {
      if (cause != null) {
        throw new AssertionError("closed twice");
      }
      cause = why;
      latch.countDown();
    }
  }
}
