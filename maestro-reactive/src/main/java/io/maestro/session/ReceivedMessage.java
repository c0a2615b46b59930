package io.maestro.session;

import io.maestro.api.Message;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A complete message in leased memory. */
@SuppressWarnings("ArrayRecordComponent") // messages are never compared
record ReceivedMessage(
    long sequence, byte[] headerBytes, MemorySegment data, RegionPool.Lease lease)
    implements Message {

  @Override
  public ByteBuffer header() {
    return ByteBuffer.wrap(headerBytes).asReadOnlyBuffer();
  }

  @Override
  public void close() {
    lease.release();
  }

  @Override
  public String toString() {
    return "Message[%d, %d bytes]".formatted(sequence, data.byteSize());
  }
}
