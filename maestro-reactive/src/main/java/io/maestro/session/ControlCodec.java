package io.maestro.session;

import java.lang.foreign.MemorySegment;

/** Control messages as records to and from the wire. */
final class ControlCodec {
  private ControlCodec() {}

  /** Writes a message into the wrapped slot; returns its length in bytes. */
  static int write(WireWriter to, Control control) {
    return switch (control) {
      case Control.Confirm c -> to.confirm(c.proof());
      case Control.Credit c -> to.credit(c.total());
      case Control.Eager c ->
          to.eager(c.seq(), c.header(), c.data(), 0, Math.toIntExact(c.data().byteSize()));
      case Control.Rts c -> to.rts(c.seq(), c.size(), c.priority(), c.header());
      case Control.Cts c -> to.cts(c.seq(), c.slot(), c.address(), c.rkey());
      case Control.Cancel c -> to.cancel(c.seq());
      case Control.Abort c -> to.abort(c.seq(), c.reason(), c.limit());
      case Control.Probe c -> to.probe();
      case Control.Bye c -> to.bye();
      case Control.Fence c -> to.fence(c.pathId(), c.generation());
      case Control.Fenced c -> to.fenced(c.pathId(), c.generation(), c.received());
    };
  }

  /**
   * Reads a sequenced message; the data of a small one is copied into memory of the pool.
   *
   * @throws ProtocolViolation when the type has no place here
   */
  static Control read(WireReader from, MemorySegment memory, RegionPool pool) {
    return switch (from.type()) {
      case CONFIRM -> new Control.Confirm(from.proof());
      case CREDIT -> new Control.Credit(from.total());
      case EAGER -> eager(from, memory, pool);
      case RTS -> new Control.Rts(from.msgSeq(), from.size(), from.priority(), from.header());
      case CTS -> new Control.Cts(from.msgSeq(), from.slot(), from.base(), from.rkey());
      case CANCEL -> new Control.Cancel(from.msgSeq());
      case ABORT -> new Control.Abort(from.msgSeq(), from.abortReason(), from.limit());
      case BYE -> new Control.Bye();
      case FENCE -> new Control.Fence(from.pathId(), from.generation());
      case FENCED -> new Control.Fenced(from.pathId(), from.generation(), from.received());
      case NOTIFY, ACK, PING, PROBE ->
          throw new ProtocolViolation(from.type() + " has no place among sequenced messages");
    };
  }

  private static Control eager(WireReader from, MemorySegment memory, RegionPool pool) {
    int bytes = from.dataBytes();
    RegionPool.Lease lease = pool.leaseAnyway(bytes);
    MemorySegment data = lease.memory();
    MemorySegment.copy(memory, from.dataOffset(), data, 0, bytes);
    return new Control.Eager(from.msgSeq(), from.header(), data, lease);
  }
}
