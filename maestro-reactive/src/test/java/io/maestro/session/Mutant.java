package io.maestro.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A fault that somebody could make in the session: one place of one source file, changed.
 *
 * @param fault what is done wrongly, in words
 * @param file a class of this package
 * @param right what the source says once
 * @param wrong what the mutant says instead
 */
record Mutant(String fault, String file, String right, String wrong) {
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "maestro", "session");

  static final List<Mutant> ALL =
      List.of(
          new Mutant(
              "a lost path is not fenced before its chunks are repeated",
              "PathLoss",
              "      controls.send(new Control.Fence(path.id(), path.generation()));",
              "      fencing.remove(path.key());\n"
                  + "      for (Chunk c; (c = writes.pollFirst()) != null; ) fanOut.repeat(c);"),
          new Mutant(
              "chunks that had arrived before a fence are repeated",
              "PathLoss",
              "long arrived = fenced.received() - path.acknowledged();",
              "long arrived = 0;"),
          new Mutant(
              "a small message counts as delivered when it is sent",
              "Outbound",
              "          () -> complete(message));",
              "          null);\n      complete(message);"),
          new Mutant(
              "a chunk of a lost path counts as delivered",
              "FanOut",
              "      again.addLast(chunk);",
              "      arrived(chunk);"),
          new Mutant(
              "the credit of a message that is dropped does not come back",
              "Inbound",
              "  private void dropped() {\n    finishedTotal++;",
              "  private void dropped() {"),
          new Mutant(
              "a control message that comes twice is obeyed twice",
              "ControlPlane",
              "early.contains(controlSeq)) {\n      return false;",
              "early.contains(controlSeq)) {\n      return true;"),
          new Mutant(
              "control messages of a lost path are not repeated",
              "ControlPlane",
              "    path.drainControls(this::repeat);",
              "    path.drainControls(envelope -> {});"),
          new Mutant(
              "the receiver is not told that a message was given up",
              "Outbound",
              "    } else {\n      controls.send(new Control.Cancel(message.seq()));",
              "    } else {"),
          new Mutant(
              "the memory of a message that nobody wants stays leased",
              "Inbound",
              "      message.finished(Outcome.CANCELLED, null);\n      lease.release();",
              "      message.finished(Outcome.CANCELLED, null);"),
          new Mutant(
              "the deadline of a message that has begun is forgotten",
              "Outbound",
              "      collectOverdue(message, nowNs, overdue);",
              ""),
          new Mutant(
              "reads of a lost path are forgotten", "Path", "    flow.drainReads(sink);", ""),
          new Mutant(
              "chunks that wait for a path are forgotten with it",
              "Path",
              "    flow.drainReads(sink);\n    chunks.drain(sink::accept);",
              "    flow.drainReads(sink);"),
          new Mutant(
              "fewer chunks are acknowledged than were announced",
              "PathReceiver",
              "received += reader.runCount(run);",
              "received++;"),
          new Mutant(
              "the memory budget has no limit",
              "MemoryBudget",
              "if (bytes > Math.max(0, limitBytes - used)) {",
              "if (bytes < 0) {"),
          new Mutant(
              "who receives after the end is told that somebody else does",
              "MessageFlux",
              "      subscriber.compareAndSet(this, null);\n      worker.dispose();",
              "      worker.dispose();"),
          new Mutant(
              "a message that waits for a busy process throws when its path has broken",
              "PathMemory",
              "    qp.postRecv(WorkIds.recv(slot), receives, receiveOffset(slot), slotBytes);",
              "    if (!qp.postRecv(WorkIds.recv(slot), receives, receiveOffset(slot), slotBytes)) {\n"
                  + "      throw new IllegalStateException();\n    }"),
          new Mutant(
              "the sender's memory is kept for ever",
              "OutMessage",
              "    region.release();\n    return true;",
              "    return true;"));

  /** The source with the fault. */
  String source() {
    try {
      String source = Files.readString(SOURCES.resolve(file + ".java"));
      int at = source.indexOf(right);
      if (at < 0 || source.indexOf(right, at + 1) >= 0) {
        throw new IllegalStateException(
            file + " does not say this exactly once any more; change the mutant: " + right);
      }
      return source.replace(right, wrong);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return fault;
  }
}
