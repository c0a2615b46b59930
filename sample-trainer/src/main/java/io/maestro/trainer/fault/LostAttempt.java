package io.maestro.trainer.fault;

import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.QueuePairHandler;
import io.maestro.verbs.VerbsException;
import java.util.function.Consumer;

/** An attempt to connect over a link that is cut: nobody answers. */
final class LostAttempt implements FaultyDevice.Faulty {

  private final ConnectOptions options;
  private final QueuePairHandler handler;
  private final Consumer<FaultyDevice.Faulty> onEnd;
  private boolean ended;

  LostAttempt(
      ConnectOptions options, QueuePairHandler handler, Consumer<FaultyDevice.Faulty> onEnd) {
    this.options = options;
    this.handler = handler;
    this.onEnd = onEnd;
  }

  void start() {
    loop()
        .schedule(
            options.timeoutNs(), () -> end(VerbsException.Kind.TIMED_OUT, "there was no answer"));
  }

  @Override
  public EventLoop loop() {
    return options.loop();
  }

  /** Goes on waiting, as the request is lost. */
  @Override
  public void changed() {}

  @Override
  public void released() {
    end(VerbsException.Kind.CLOSED, "the device was closed");
  }

  private void end(VerbsException.Kind kind, String reason) {
    if (!ended) {
      ended = true;
      onEnd.accept(this);
      handler.onClosed(
          new VerbsException(
              kind,
              "%s could not connect to %s: %s"
                  .formatted(options.local(), options.remote(), reason)));
    }
  }
}
