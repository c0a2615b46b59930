package io.maestro.trainer.process;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Processes that end together: when the group is closed, and when this process is told to end. */
public final class ProcessGroup implements AutoCloseable {

  /** How long a child may take to end by itself before it is ended by force. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final List<ChildProcess> children = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread hook = new Thread(this::end, "end-children");

  /** An empty group that ends with this process. */
  public ProcessGroup() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts a child; see {@link ChildProcess#start}. */
  public ChildProcess start(
      String name, List<String> command, String secret, ChildProcess.Listener listener) {
    ChildProcess child = ChildProcess.start(name, command, secret, listener);
    children.add(child);
    if (closed.get()) {
      child.askToEnd();
    }
    return child;
  }

  /** Writes a line to the standard input of each child; any thread. Blocks while one is slow. */
  public void tell(String line) {
    children.forEach(child -> child.tell(line));
  }

  /** Whether the children have been told to end. */
  public boolean isClosed() {
    return closed.get();
  }

  /** Ends all children and waits for their end. Blocks for some seconds at most. */
  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This process is ending: the hook has run or is running.
    }
  }

  private void end() {
    closed.set(true);
    children.forEach(ChildProcess::askToEnd);
    children.forEach(child -> child.ensureEnd(PATIENCE));
  }
}
