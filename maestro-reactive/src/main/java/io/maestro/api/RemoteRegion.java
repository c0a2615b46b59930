package io.maestro.api;

import java.nio.ByteBuffer;

/**
 * The handle of memory that a peer has exported on a connection, for one-sided reads and writes on
 * that same connection. It is a capability: it travels to the peer inside a message.
 *
 * @param address the peer's address of the first byte
 * @param size size in bytes
 * @param key the peer's key (STag)
 */
public record RemoteRegion(long address, long size, int key) {

  /** Length of {@link #toBytes()}, in bytes. */
  public static final int BYTES = 20;

  /** The handle as bytes, position 0 and limit {@link #BYTES}. */
  public ByteBuffer toBytes() {
    return ByteBuffer.allocate(BYTES).putLong(address).putLong(size).putInt(key).flip();
  }

  /**
   * Reads a handle from the buffer's position and advances it.
   *
   * @throws IllegalArgumentException when fewer than {@link #BYTES} bytes remain or the size is
   *     negative
   */
  public static RemoteRegion from(ByteBuffer bytes) {
    if (bytes.remaining() < BYTES) {
      throw new IllegalArgumentException(
          "a remote region takes %d bytes, %d remain".formatted(BYTES, bytes.remaining()));
    }
    RemoteRegion region = new RemoteRegion(bytes.getLong(), bytes.getLong(), bytes.getInt());
    if (region.size < 0) {
      throw new IllegalArgumentException("negative size " + region.size);
    }
    return region;
  }

  /** Hides the key, which is a secret between the peers. */
  @Override
  public String toString() {
    return "RemoteRegion[size=" + size + "]";
  }
}
