package io.maestro.verbs.iwarp;

import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Turns posted work and answers to READs into FPDUs, and these into writes to the socket. */
final class Transmitter {
  /** What one turn may send, so that no connection keeps the loop for itself. */
  private static final long TURN_BYTES = 1 << 20;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** How a turn ended. */
  enum Outcome {
    /** Everything is sent. */
    IDLE,
    /** The socket takes no more now. */
    BLOCKED,
    /** The turn's budget is used up. */
    UNFINISHED
  }

  private final IwarpQueuePair qp;
  private final SendQueue sends;
  private final ResponseQueue responses;
  private final TxBatch batch;
  private boolean held;
  private boolean readyToReceiveDue;
  private boolean responseIsNext;
  private int sendMsn;
  private int readMsn;

  Transmitter(IwarpQueuePair qp, SendQueue sends, ResponseQueue responses, MpaTerms terms) {
    this.qp = qp;
    this.sends = sends;
    this.responses = responses;
    this.batch = new TxBatch(qp.loop().index(), terms.checksum());
    this.held = terms.sendsAfterPeer();
    this.readyToReceiveDue = terms.sendsReadyToReceive();
  }

  /** The peer has sent its first FPDU: an accepting side may send from now on. */
  void release() {
    if (held) {
      held = false;
      qp.requestTransmit();
    }
  }

  boolean hasWork() {
    return !held
        && (!batch.isEmpty() || sends.hasNext() || !responses.isEmpty() || readyToReceiveDue);
  }

  Outcome transmit(ByteStream stream) throws IOException {
    long budget = TURN_BYTES;
    while (budget > 0) {
      fill();
      if (batch.isEmpty()) {
        return flush(stream);
      }
      if (batch.isRevoked()) {
        qp.terminate(Fault.READ_STAG_INVALID, null);
        return Outcome.IDLE;
      }
      long pending = batch.pendingBytes();
      long written = batch.write(stream);
      complete();
      if (written < pending || stream.hasUnsent()) {
        return Outcome.BLOCKED;
      }
      budget -= written;
    }
    return hasWork() ? Outcome.UNFINISHED : Outcome.IDLE;
  }

  /** Sends what the stream has kept back. */
  private static Outcome flush(ByteStream stream) throws IOException {
    if (stream.hasUnsent()) {
      stream.write(NOTHING);
    }
    return stream.hasUnsent() ? Outcome.BLOCKED : Outcome.IDLE;
  }

  /** Completes, in order, what is done. */
  void complete() {
    CompletionBatch completions = qp.loop().completions();
    while (sends.isHeadDone(batch.sentPosition())) {
      sends.complete(WcStatus.SUCCESS, completions);
      if (completions.isFull()) {
        qp.deliver();
      }
    }
  }

  @Nullable ByteBuffer restOfFpdu() {
    return batch.restOfFpdu();
  }

  private void fill() {
    while (!held && qp.isOpen() && batch.hasRoom()) {
      if (readyToReceiveDue) {
        readyToReceive();
      } else if (isResponseNext()) {
        encodeResponse();
      } else if (sends.hasNext()) {
        encodeSend();
      } else {
        return;
      }
    }
  }

  /** A zero-length WRITE, which an enhanced peer waits for: RFC 6581 section 9. */
  private void readyToReceive() {
    readyToReceiveDue = false;
    batch.beginTagged(Wire.LAST | Wire.WRITE, 0, 0, 0);
    batch.end();
  }

  /** Messages alternate; the segments of one message follow one another. */
  private boolean isResponseNext() {
    if (responses.isEmpty() || sends.segmentedBytes() > 0) {
      return false;
    }
    return responses.isBegun() || responseIsNext || !sends.hasNext();
  }

  private void encodeResponse() {
    IwarpRegion source = responses.region();
    if (source != null && !source.isOpen()) {
      qp.terminate(Fault.READ_STAG_INVALID, null);
      return;
    }
    int bytes = Math.min(responses.remaining(), Wire.MAX_SEGMENT_BYTES);
    boolean last = bytes == responses.remaining();
    batch.beginTagged(
        (last ? Wire.LAST : 0) | Wire.READ_RESPONSE,
        responses.sinkStag(),
        responses.sinkAddress(),
        bytes);
    if (source != null) {
      batch.payload(source, responses.offset(), bytes, true);
    }
    batch.end();
    responses.segmented(bytes);
    if (last) {
      responses.remove();
      responseIsNext = false;
    }
  }

  private void encodeSend() {
    responseIsNext = true;
    WcOpcode opcode = sends.opcode();
    if (opcode == WcOpcode.READ) {
      encodeReadRequest();
      return;
    }
    int bytes = Math.min(sends.remaining(), Wire.MAX_SEGMENT_BYTES);
    boolean last = bytes == sends.remaining();
    int control = (last ? Wire.LAST : 0) | (opcode == WcOpcode.WRITE ? Wire.WRITE : Wire.SEND);
    if (opcode == WcOpcode.WRITE) {
      batch.beginTagged(control, sends.rkey(), sends.remoteAddress(), bytes);
    } else {
      batch.beginUntagged(control, Wire.SEND_QUEUE, sendMsn + 1, sends.segmentedBytes(), bytes);
    }
    batch.payload(sends.region(), sends.offset(), bytes, false);
    batch.end();
    sends.segmented(bytes);
    if (last) {
      sendMsn += opcode == WcOpcode.SEND ? 1 : 0;
      sends.encoded(batch.appendedPosition());
    }
  }

  private void encodeReadRequest() {
    readMsn++;
    batch.beginUntagged(
        Wire.LAST | Wire.READ_REQUEST,
        Wire.READ_REQUEST_QUEUE,
        readMsn,
        0,
        Wire.READ_REQUEST_BYTES);
    batch.readRequest(
        sends.region(), sends.offset(), sends.remaining(), sends.remoteAddress(), sends.rkey());
    batch.end();
    sends.encoded(batch.appendedPosition());
  }
}
