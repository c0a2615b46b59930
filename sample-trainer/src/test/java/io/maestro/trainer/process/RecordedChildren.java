package io.maestro.trainer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Keeps what children say, in the order in which it was heard. */
final class RecordedChildren implements ChildProcess.Listener {

  private static final int PATIENCE_SECONDS = 30;

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  @Override
  public void line(String child, String text) {
    heard.add(child + ": " + text);
  }

  @Override
  public void exited(String child, int code) {
    heard.add(child + " " + ExitCodes.inWords(code));
  }

  /** Waits for something that starts so, and returns the rest of it. */
  String await(String start) throws InterruptedException {
    StringBuilder before = new StringBuilder();
    while (true) {
      String next = heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(next).as("after %s, waiting for '%s'", before, start).isNotNull();
      if (next.startsWith(start)) {
        return next.substring(start.length());
      }
      before.append(next).append('\n');
    }
  }
}
