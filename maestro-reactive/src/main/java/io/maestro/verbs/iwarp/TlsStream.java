package io.maestro.verbs.iwarp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/**
 * Bytes as TLS records (RFC 8446). A payload is encrypted straight out of its region and, where a
 * whole record has room in it, decrypted straight into its region.
 *
 * <p>The end of a stream counts only when the peer said it ({@code close_notify}, RFC 8446 section
 * 6.1): a stream that just stops was cut off by somebody.
 */
final class TlsStream implements ByteStream {

  /** Records that one system call may carry once the peer is known: more gain nothing. */
  private static final int RECORDS = 4;

  /** What shaking hands needs next. */
  enum Step {
    READ,
    WRITE,
    /** {@link #runTasks()}, which may take milliseconds. */
    COMPUTE,
    DONE
  }

  private static final ByteBuffer[] NOTHING = {ByteBuffer.allocate(0)};

  private final SocketChannel channel;
  private final SSLEngine engine;
  private final int recordBytes;
  private final ByteBuffer[] one = new ByteBuffer[1];

  /** Ciphertext as it came; to be read from. */
  private ByteBuffer received;

  /** Plaintext of a record that had no room where it belongs; to be read from. */
  private final ByteBuffer decrypted;

  /** Ciphertext that waits for the socket; to be read from. */
  private ByteBuffer encrypted;

  private boolean cutOff;

  TlsStream(SocketChannel channel, SSLEngine engine) throws SSLException {
    this.channel = channel;
    this.engine = engine;
    this.recordBytes = engine.getSession().getPacketBufferSize();
    this.received = ByteBuffer.allocate(recordBytes).flip();
    this.encrypted = ByteBuffer.allocate(recordBytes).flip();
    this.decrypted = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()).flip();
    engine.beginHandshake();
  }

  @Override
  public SocketChannel channel() {
    return channel;
  }

  /** Shakes hands as far as it goes now. */
  Step shake() throws IOException {
    while (flush()) {
      switch (engine.getHandshakeStatus()) {
        case NEED_TASK -> {
          return Step.COMPUTE;
        }
        case NEED_WRAP -> wrapControl();
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (!unwrapControl()) {
            return Step.READ;
          }
        }
        default -> {
          return Step.DONE;
        }
      }
    }
    return Step.WRITE;
  }

  /** Does what {@link Step#COMPUTE} asks for; any thread, while nothing else uses the stream. */
  void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  /** Becomes as fast as it can be: the peer is known, and worth the memory. */
  void widen() {
    received = ByteBuffer.allocate(RECORDS * recordBytes).put(received).flip();
    encrypted = ByteBuffer.allocate(RECORDS * recordBytes).put(encrypted).flip();
  }

  private void wrapControl() throws IOException {
    encrypted.compact();
    try {
      engine.wrap(NOTHING, encrypted);
    } finally {
      encrypted.flip();
    }
  }

  private boolean unwrapControl() throws IOException {
    SSLEngineResult result = unwrapAside();
    if (result.getStatus() == Status.CLOSED) {
      throw new EOFException("the peer ended the stream while it shook hands");
    }
    if (result.getStatus() != Status.BUFFER_UNDERFLOW || fill()) {
      return true;
    }
    checkCutOff();
    return false;
  }

  private SSLEngineResult unwrapAside() throws IOException {
    decrypted.clear();
    try {
      return engine.unwrap(received, decrypted);
    } finally {
      decrypted.flip();
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    one[0] = target;
    return (int) read(one, 0, 1);
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    long room = remaining(targets, offset, length);
    long got = 0;
    while (got < room) {
      got += takeDecrypted(targets, offset, length);
      if (got == room) {
        break;
      }
      SSLEngineResult result = engine.unwrap(received, targets, offset, length);
      if (result.getStatus() == Status.BUFFER_OVERFLOW) {
        result = unwrapAside();
      } else {
        got += result.bytesProduced();
      }
      if (result.getStatus() == Status.CLOSED) {
        return got == 0 ? -1 : got;
      }
      answer(result);
      if (result.getStatus() == Status.BUFFER_UNDERFLOW && !fill()) {
        break;
      }
    }
    if (got == 0) {
      checkCutOff();
    }
    return got;
  }

  private long takeDecrypted(ByteBuffer[] targets, int offset, int length) {
    long before = decrypted.remaining();
    for (int i = offset; i < offset + length && decrypted.hasRemaining(); i++) {
      int bytes = Math.min(decrypted.remaining(), targets[i].remaining());
      targets[i].put(targets[i].position(), decrypted, decrypted.position(), bytes);
      targets[i].position(targets[i].position() + bytes);
      decrypted.position(decrypted.position() + bytes);
    }
    return before - decrypted.remaining();
  }

  /** Post-handshake messages: a peer that changes its key may ask for ours to change too. */
  private void answer(SSLEngineResult result) throws IOException {
    switch (result.getHandshakeStatus()) {
      case NEED_TASK -> runTasks();
      case NEED_WRAP -> {
        if (flush()) {
          wrapControl();
        }
      }
      default -> {}
    }
  }

  /** Reads ciphertext; false when the socket has none. */
  private boolean fill() throws IOException {
    received.compact();
    int got;
    try {
      got = channel.read(received);
    } finally {
      received.flip();
    }
    cutOff = got < 0;
    return got > 0;
  }

  private void checkCutOff() throws EOFException {
    if (cutOff) {
      throw new EOFException("the peer, or somebody between, cut the stream off");
    }
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    one[0] = source;
    return (int) write(one, 0, 1);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    long wanted = remaining(sources, offset, length);
    long taken = 0;
    while (flush() && taken < wanted) {
      encrypted.clear();
      try {
        taken += encrypt(sources, offset, length, wanted - taken);
      } finally {
        encrypted.flip();
      }
    }
    return taken;
  }

  private long encrypt(ByteBuffer[] sources, int offset, int length, long wanted)
      throws SSLException {
    long taken = 0;
    while (taken < wanted && encrypted.remaining() >= recordBytes) {
      SSLEngineResult result = engine.wrap(sources, offset, length, encrypted);
      if (result.getStatus() == Status.CLOSED) {
        throw new SSLException("the peer ended the stream");
      }
      if (result.bytesProduced() == 0) {
        throw new SSLException("nothing can be encrypted: " + result);
      }
      taken += result.bytesConsumed();
    }
    return taken;
  }

  /** Sends what waits; whether nothing waits any more. */
  private boolean flush() throws IOException {
    if (encrypted.hasRemaining()) {
      channel.write(encrypted);
    }
    return !encrypted.hasRemaining();
  }

  @Override
  public boolean hasUnsent() {
    return encrypted.hasRemaining();
  }

  @Override
  public boolean hasUnread() {
    return decrypted.hasRemaining() || hasWholeRecord();
  }

  /** By the header of a record, RFC 8446 section 5.1. */
  private boolean hasWholeRecord() {
    int at = received.position();
    return received.remaining() >= 5
        && received.remaining() >= 5 + (received.getShort(at + 3) & 0xFFFF);
  }

  @Override
  public boolean finish() throws IOException {
    engine.closeOutbound();
    while (flush() && !engine.isOutboundDone()) {
      wrapControl();
    }
    if (encrypted.hasRemaining()) {
      return false;
    }
    channel.shutdownOutput();
    return true;
  }

  private static long remaining(ByteBuffer[] buffers, int offset, int length) {
    long bytes = 0;
    for (int i = offset; i < offset + length; i++) {
      bytes += buffers[i].remaining();
    }
    return bytes;
  }
}
