package io.maestro.session;

import io.maestro.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Moves the work of a lost path to the others. What the peer may have got through it is repeated
 * only when the peer has fenced the path: nothing can land through it any more, and it is known
 * what had. Session's loop only.
 */
final class PathLoss {
  private final PathTable paths;
  private final ControlPlane controls;
  private final FanOut fanOut;
  private final Set<Path> gone = new HashSet<>();
  private final Map<Integer, Path> fencing = new HashMap<>();
  private final Set<Integer> fenceWanted = new HashSet<>();

  PathLoss(PathTable paths, ControlPlane controls, FanOut fanOut) {
    this.paths = paths;
    this.controls = controls;
    this.fanOut = fanOut;
  }

  /** A path has closed while the session goes on. */
  void onLost(Path path, Throwable cause) {
    gone.add(path);
    path.drainControls(controls::repeat);
    path.drainRepeatable(chunk -> repeat(path, chunk, cause));
    ArrayDeque<Chunk> writes = path.unacknowledgedWrites();
    if (denied(cause)) {
      failOneSided(writes, cause);
    }
    if (!writes.isEmpty()) {
      fencing.put(path.id(), path);
      controls.send(new Control.Fence(path.id(), path.generation()));
    }
    if (fenceWanted.remove(path.id())) {
      sayFenced(path);
    }
  }

  private static boolean denied(Throwable cause) {
    return cause instanceof VerbsException verbs
        && verbs.kind() == VerbsException.Kind.REMOTE_ACCESS;
  }

  /** A one-sided access that the peer refused would be refused on every path. */
  private static void failOneSided(ArrayDeque<Chunk> writes, Throwable cause) {
    for (Chunk chunk : writes) {
      if (chunk.transfer().oneSided()) {
        chunk.transfer().stop(Failures.translate("the peer refused a one-sided write", cause));
      }
    }
  }

  private void repeat(Path path, Chunk chunk, Throwable cause) {
    paths.settle(path.id(), chunk.length());
    Transfer transfer = chunk.transfer();
    if (denied(cause) && transfer.kind() == Transfer.Kind.READ) {
      transfer.stop(Failures.translate("the peer refused a one-sided read", cause));
    }
    fanOut.repeat(chunk);
  }

  /** The peer has lost a path and wants to be sure that nothing lands through it any more. */
  void onFence(Control.Fence fence) {
    Path path = paths.get(fence.pathId());
    if (path == null || path.generation() != fence.generation()) {
      throw new ProtocolViolation("there is no path " + fence.pathId() + " to fence");
    }
    if (gone.contains(path)) {
      sayFenced(path);
    } else {
      fenceWanted.add(path.id());
      path.close();
    }
  }

  private void sayFenced(Path path) {
    controls.send(new Control.Fenced(path.id(), path.generation(), path.received()));
  }

  /** The peer has fenced a path: what had arrived is done, the rest goes to other paths. */
  void onFenced(Control.Fenced fenced) {
    Path path = fencing.remove(fenced.pathId());
    if (path == null || path.generation() != fenced.generation()) {
      throw new ProtocolViolation("path " + fenced.pathId() + " was not being fenced");
    }
    ArrayDeque<Chunk> writes = path.unacknowledgedWrites();
    long arrived = fenced.received() - path.acknowledged();
    if (arrived < 0 || arrived > writes.size()) {
      throw new ProtocolViolation(
          "%d chunks are said to have arrived on path %d, %d were under way"
              .formatted(arrived, path.id(), writes.size()));
    }
    for (; arrived > 0; arrived--) {
      fanOut.acknowledged(path.id(), writes.removeFirst());
    }
    Chunk chunk;
    while ((chunk = writes.pollFirst()) != null) {
      paths.settle(path.id(), chunk.length());
      fanOut.repeat(chunk);
    }
  }

  /** A path has closed after the session ended: its work is dropped. */
  void abandon(Path path) {
    gone.add(path);
    path.drainControls(envelope -> {});
    path.drainRepeatable(chunk -> drop(path, chunk));
    drop(path, path.unacknowledgedWrites());
  }

  /** The session has ended: no peer will answer a fence. */
  void dropFenced() {
    for (Path path : fencing.values()) {
      drop(path, path.unacknowledgedWrites());
    }
    fencing.clear();
  }

  private void drop(Path path, ArrayDeque<Chunk> chunks) {
    Chunk chunk;
    while ((chunk = chunks.pollFirst()) != null) {
      drop(path, chunk);
    }
  }

  private void drop(Path path, Chunk chunk) {
    paths.settle(path.id(), chunk.length());
    fanOut.drop(chunk);
  }

  /** Whether all these paths have closed. */
  boolean allGone(List<Path> all) {
    return gone.containsAll(all);
  }
}
