package io.maestro.ps;

import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/**
 * A request under way. It ends well when it has been sent and answered. An answer can overtake the
 * acknowledgement of the send; it is kept until then, because the values may go where the gradient
 * is that is being sent.
 */
final class Pending {

  private final MonoSink<Header> sink;
  private final @Nullable Region target;
  private boolean sent;
  private boolean ended;
  private @Nullable Header answer;
  private @Nullable Message values;

  Pending(MonoSink<Header> sink, @Nullable Region target) {
    this.sink = sink;
    this.target = target;
  }

  void sent() {
    Header header;
    Message message;
    synchronized (this) {
      sent = true;
      header = answer;
      message = values;
      if (ended || header == null || message == null) {
        return;
      }
      ended = true;
    }
    try {
      finish(header, message);
    } finally {
      message.close();
    }
  }

  /** Whether the message is kept; only for a good answer. */
  boolean answered(Header header, Message message) {
    synchronized (this) {
      if (ended || values != null) {
        return false;
      }
      if (!sent) {
        answer = header;
        values = message;
        return true;
      }
      ended = true;
    }
    finish(header, message);
    return false;
  }

  /** The call fails, unless it has ended. */
  void fail(Throwable cause) {
    if (end()) {
      sink.error(cause);
    }
  }

  /** Gives everything back; nothing is written to the target afterwards. */
  boolean end() {
    Message message;
    synchronized (this) {
      if (ended) {
        return false;
      }
      ended = true;
      message = values;
    }
    if (message != null) {
      message.close();
    }
    release();
    return true;
  }

  private void finish(Header header, Message message) {
    if (target != null && target.size() != message.size()) {
      release();
      sink.error(
          new MaestroException.Rejected(
              Status.WRONG_SIZE.reason(),
              "the server sent %d bytes for shard %d, expected %d; give all workers the same tensors"
                  .formatted(message.size(), header.shard(), target.size())));
      return;
    }
    if (target != null) {
      target.segment().copyFrom(message.data());
    }
    release();
    sink.success(header);
  }

  private void release() {
    if (target != null) {
      target.release();
    }
  }
}
