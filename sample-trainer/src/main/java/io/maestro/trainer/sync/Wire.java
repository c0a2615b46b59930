package io.maestro.trainer.sync;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Frames of the plain-socket synchronisation on one blocking connection. Big-endian. */
final class Wire {

  /** Length of the server's challenge. */
  static final int NONCE_BYTES = 16;

  /** Length of an HMAC-SHA256. */
  static final int PROOF_BYTES = 32;

  private static final int MOST_TEXT_BYTES = 4_096;

  /** A buffer is limited to 2 GiB; larger vectors go in slices of this size. */
  private static final long SLICE_BYTES = 1L << 30;

  private final SocketChannel channel;

  Wire(SocketChannel channel) {
    this.channel = channel;
  }

  /** What proves the knowledge of the secret to who chose the nonce. */
  static byte[] proof(String secret, byte[] nonce) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      return mac.doFinal(nonce);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  void writeLong(long value) throws IOException {
    write(ByteBuffer.allocate(Long.BYTES).putLong(value).flip());
  }

  long readLong() throws IOException {
    return read(Long.BYTES).getLong();
  }

  void writeBytes(byte[] bytes) throws IOException {
    write(ByteBuffer.wrap(bytes));
  }

  byte[] readBytes(int count) throws IOException {
    return read(count).array();
  }

  void writeText(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    write(ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes).flip());
  }

  String readText() throws IOException {
    int length = read(Integer.BYTES).getInt();
    if (length < 0 || length > MOST_TEXT_BYTES) {
      throw new IOException("a text of " + length + " bytes is no text of ours");
    }
    return new String(readBytes(length), StandardCharsets.UTF_8);
  }

  void writeSegment(MemorySegment segment) throws IOException {
    for (long at = 0; at < segment.byteSize(); at += SLICE_BYTES) {
      write(slice(segment, at));
    }
  }

  void readSegment(MemorySegment segment) throws IOException {
    for (long at = 0; at < segment.byteSize(); at += SLICE_BYTES) {
      fill(slice(segment, at));
    }
  }

  private static ByteBuffer slice(MemorySegment segment, long at) {
    return segment.asSlice(at, Math.min(SLICE_BYTES, segment.byteSize() - at)).asByteBuffer();
  }

  private void write(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  private ByteBuffer read(int bytes) throws IOException {
    return fill(ByteBuffer.allocate(bytes)).flip();
  }

  private ByteBuffer fill(ByteBuffer buffer) throws IOException {
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException("the connection was closed");
      }
    }
    return buffer;
  }
}
