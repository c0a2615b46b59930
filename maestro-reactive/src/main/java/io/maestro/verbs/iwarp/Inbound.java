package io.maestro.verbs.iwarp;

import io.maestro.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Judges every segment that the peer sends before a byte of it is placed: versions, opcode, queue,
 * sequence, key, domain, right and bounds.
 */
final class Inbound {
  private final IwarpQueuePair qp;
  private final ReceiveQueue receives;
  private final SendQueue sends;
  private final ResponseQueue responses;
  private final StagTable stags;
  private @Nullable IwarpRegion target;
  private long targetOffset;
  private boolean revocable;
  private int sendMsn = 1;
  private int sendOffset;
  private int readMsn = 1;

  Inbound(IwarpQueuePair qp, SendQueue sends, ReceiveQueue receives, ResponseQueue responses) {
    this.qp = qp;
    this.receives = receives;
    this.sends = sends;
    this.responses = responses;
    this.stags = qp.domain().device().stags();
  }

  /** Where the payload of the segment accepted last goes; null when it goes nowhere. */
  @Nullable IwarpRegion target() {
    return target;
  }

  long targetOffset() {
    return targetOffset;
  }

  /** Whether the target may be taken away while the payload arrives. */
  boolean isRevocable() {
    return revocable;
  }

  /** Judges a segment; null when it may be placed. A control segment is whole, and done then. */
  @Nullable Fault accept(Segment segment) {
    target = null;
    if (!segment.hasDdpVersion()) {
      return segment.isTagged() ? Fault.TAGGED_BAD_DDP_VERSION : Fault.UNTAGGED_BAD_DDP_VERSION;
    }
    if (!segment.hasRdmapVersion()) {
      return Fault.BAD_RDMAP_VERSION;
    }
    if (segment.isTagged()) {
      return acceptTagged(segment);
    }
    return switch (segment.queue()) {
      case Wire.SEND_QUEUE -> acceptSend(segment);
      case Wire.READ_REQUEST_QUEUE -> acceptReadRequest(segment);
      case Wire.TERMINATE_QUEUE -> acceptTerminate(segment);
      default -> Fault.INVALID_QUEUE;
    };
  }

  /** The payload of the accepted segment is placed. */
  void placed(Segment segment) {
    int bytes = segment.payloadBytes();
    if (segment.isTagged()) {
      if (segment.opcode() == Wire.READ_RESPONSE) {
        sends.sinkReceived(bytes);
        if (segment.isLast()) {
          sends.sinkComplete();
          qp.completeSends();
        }
      }
    } else if (segment.queue() == Wire.SEND_QUEUE) {
      sendOffset += bytes;
      if (segment.isLast()) {
        complete(WcStatus.SUCCESS, sendOffset);
        sendOffset = 0;
        sendMsn++;
      }
    }
  }

  private void complete(WcStatus status, int bytes) {
    CompletionBatch completions = qp.loop().completions();
    receives.complete(status, bytes, completions);
    if (completions.isFull()) {
      qp.deliver();
    }
  }

  private @Nullable Fault acceptTagged(Segment segment) {
    return switch (segment.opcode()) {
      case Wire.WRITE -> acceptWrite(segment);
      case Wire.READ_RESPONSE -> acceptResponse(segment);
      default -> Fault.UNEXPECTED_OPCODE;
    };
  }

  /** Without payload there is nothing to check: RFC 5040 section 5.1 and 5041 section 5. */
  private @Nullable Fault acceptWrite(Segment segment) {
    int bytes = segment.payloadBytes();
    if (bytes == 0) {
      return null;
    }
    IwarpRegion region = stags.find(segment.stag());
    if (region == null) {
      return Fault.TAGGED_STAG_INVALID;
    }
    if (region.domain() != qp.domain()) {
      return Fault.TAGGED_STAG_OF_OTHER_DOMAIN;
    }
    if (wraps(segment.address(), bytes)) {
      return Fault.TAGGED_ADDRESS_WRAPS;
    }
    if (!region.contains(segment.address() - region.remoteAddress(), bytes)) {
      return Fault.TAGGED_OUT_OF_BOUNDS;
    }
    if (!region.allowsRemoteWrite()) {
      return Fault.ACCESS_DENIED;
    }
    aim(region, segment.address() - region.remoteAddress(), true);
    return null;
  }

  private @Nullable Fault acceptResponse(Segment segment) {
    IwarpRegion sink = sends.sinkRegion();
    if (sink == null) {
      return Fault.UNEXPECTED_OPCODE;
    }
    int bytes = segment.payloadBytes();
    if (segment.stag() != sink.rkey()) {
      return Fault.TAGGED_STAG_INVALID;
    }
    boolean complete = bytes == sends.sinkRemaining();
    if (segment.address() != sink.remoteAddress() + sends.sinkOffset()
        || bytes > sends.sinkRemaining()
        || complete != segment.isLast()) {
      return Fault.TAGGED_OUT_OF_BOUNDS;
    }
    aim(sink, sends.sinkOffset(), false);
    return null;
  }

  private @Nullable Fault acceptSend(Segment segment) {
    int opcode = segment.opcode();
    if (opcode == Wire.SEND_INVALIDATE || opcode == Wire.SEND_SOLICITED_INVALIDATE) {
      return Fault.STAG_NOT_INVALIDATED;
    }
    if (opcode != Wire.SEND && opcode != Wire.SEND_SOLICITED) {
      return Fault.UNEXPECTED_OPCODE;
    }
    if (segment.msn() != sendMsn) {
      return Fault.MSN_OUT_OF_RANGE;
    }
    if (segment.offset() != sendOffset) {
      return Fault.INVALID_OFFSET;
    }
    if (receives.isEmpty()) {
      return Fault.NO_BUFFER;
    }
    if (segment.payloadBytes() > receives.length() - sendOffset) {
      complete(WcStatus.LENGTH_ERROR, 0);
      return Fault.MESSAGE_TOO_LONG;
    }
    aim(receives.region(), receives.offset() + sendOffset, false);
    return null;
  }

  private @Nullable Fault acceptReadRequest(Segment segment) {
    if (segment.opcode() != Wire.READ_REQUEST) {
      return Fault.UNEXPECTED_OPCODE;
    }
    if (segment.msn() != readMsn) {
      return Fault.MSN_OUT_OF_RANGE;
    }
    if (segment.offset() != 0) {
      return Fault.INVALID_OFFSET;
    }
    if (segment.payloadBytes() != Wire.READ_REQUEST_BYTES || !segment.isLast()) {
      return Fault.MALFORMED_MESSAGE;
    }
    if (responses.isFull()) {
      return Fault.NO_BUFFER;
    }
    return queueResponse(segment);
  }

  private @Nullable Fault queueResponse(Segment segment) {
    int bytes = segment.payloadInt(12);
    IwarpRegion source = null;
    long offset = 0;
    if (bytes != 0) {
      source = stags.find(segment.payloadInt(16));
      long address = segment.payloadLong(20);
      Fault fault = judgeSource(source, address, bytes);
      if (fault != null || source == null) {
        return fault;
      }
      offset = address - source.remoteAddress();
    }
    readMsn++;
    responses.add(source, offset, bytes);
    responses.setSink(segment.payloadInt(0), segment.payloadLong(4));
    qp.requestTransmit();
    return null;
  }

  private @Nullable Fault judgeSource(@Nullable IwarpRegion source, long address, int bytes) {
    if (source == null) {
      return Fault.READ_STAG_INVALID;
    }
    if (source.domain() != qp.domain()) {
      return Fault.READ_STAG_OF_OTHER_DOMAIN;
    }
    if (wraps(address, bytes)) {
      return Fault.READ_ADDRESS_WRAPS;
    }
    // A length of 2 GiB or more is negative here, and in no region.
    if (!source.contains(address - source.remoteAddress(), bytes)) {
      return Fault.READ_OUT_OF_BOUNDS;
    }
    return source.allowsRemoteRead() ? null : Fault.ACCESS_DENIED;
  }

  private @Nullable Fault acceptTerminate(Segment segment) {
    if (segment.opcode() != Wire.TERMINATE) {
      return Fault.UNEXPECTED_OPCODE;
    }
    TerminateMessage.Notice notice = TerminateMessage.decode(segment);
    if (notice == null) {
      return Fault.MALFORMED_MESSAGE;
    }
    qp.terminatedByPeer(notice);
    return null;
  }

  private void aim(IwarpRegion region, long offset, boolean mayBeRevoked) {
    target = region;
    targetOffset = offset;
    revocable = mayBeRevoked;
  }

  /** Whether an unsigned range runs over the end of the 64-bit address space. */
  private static boolean wraps(long address, int bytes) {
    long last = address + (bytes & 0xFFFFFFFFL) - 1;
    return Long.compareUnsigned(last, address) < 0;
  }
}
