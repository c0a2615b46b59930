package io.maestro.session;

import io.maestro.verbs.VerbsException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves the work of a lost path to the others. What the peer may have got through it is repeated
 * only when the peer has fenced the path: nothing can land through it any more, and it is known
 * what had. By then the path may have been built anew, so everything here is about one generation
 * of it. Session's loop only.
 */
final class PathLoss {
  private final ControlPlane controls;
  private final FanOut fanOut;
  private final @Nullable Path[] gone = new Path[SessionParameters.MAX_PATHS];
  private final Map<PathKey, Path> fencing = new HashMap<>();
  private final Set<PathKey> fenceWanted = new HashSet<>();
  private final Map<PathKey, Long> received = new Received();

  /** How many chunks had come by each queue pair that is gone; of very many, the latest. */
  private static final class Received extends LinkedHashMap<PathKey, Long> {
    private static final long serialVersionUID = 1L;
    private static final int MOST = 64 * SessionParameters.MAX_PATHS;

    @Override
    protected boolean removeEldestEntry(Map.Entry<PathKey, Long> eldest) {
      return size() > MOST;
    }
  }

  PathLoss(ControlPlane controls, FanOut fanOut) {
    this.controls = controls;
    this.fanOut = fanOut;
  }

  /** A path has closed while the session goes on; its accounts are settled already. */
  void onLost(Path path, Throwable cause) {
    recordEnd(path);
    controls.lost(path);
    path.drainRepeatable(chunk -> repeat(chunk, cause));
    ArrayDeque<Chunk> writes = path.unacknowledgedWrites();
    if (denied(cause)) {
      failOneSided(writes, cause);
    }
    if (!writes.isEmpty()) {
      fencing.put(path.key(), path);
      controls.send(new Control.Fence(path.id(), path.generation()));
    }
    if (fenceWanted.remove(path.key())) {
      sayFenced(path.key(), path.received());
    }
  }

  private void recordEnd(Path path) {
    gone[path.id()] = path;
    received.put(path.key(), path.received());
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

  /** A path makes no progress, and may never: what the peer can take twice goes elsewhere too. */
  void hedge(Path path) {
    controls.hedge(path);
  }

  private void repeat(Chunk chunk, Throwable cause) {
    Transfer transfer = chunk.transfer();
    if (denied(cause) && transfer.kind() == Transfer.Kind.READ) {
      transfer.stop(Failures.translate("the peer refused a one-sided read", cause));
    }
    fanOut.repeat(chunk);
  }

  /**
   * The peer has lost a path and wants to be sure that nothing lands through it any more.
   *
   * @param current the path of that number as it is now
   */
  void onFence(Control.Fence fence, @Nullable Path current) {
    PathKey key = new PathKey(fence.pathId(), fence.generation());
    Long chunks = received.get(key);
    if (chunks != null) {
      sayFenced(key, chunks);
    } else if (current != null && current.key().equals(key)) {
      fenceWanted.add(key);
      current.lose(
          new VerbsException(
              VerbsException.Kind.PEER_CLOSED, "the peer has given the path up and fenced it"));
    } else {
      throw new ProtocolViolation("there is no " + key + " to fence");
    }
  }

  private void sayFenced(PathKey key, long chunks) {
    controls.send(new Control.Fenced(key.id(), key.generation(), chunks));
  }

  /**
   * The peer has fenced a path: what had arrived is done, the rest goes to other paths.
   *
   * @return how many chunks go to other paths
   */
  int onFenced(Control.Fenced fenced) {
    Path path = fencing.remove(new PathKey(fenced.pathId(), fenced.generation()));
    if (path == null) {
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
      fanOut.arrived(writes.removeFirst());
    }
    int repeated = writes.size();
    Chunk chunk;
    while ((chunk = writes.pollFirst()) != null) {
      fanOut.repeat(chunk);
    }
    return repeated;
  }

  /** A path has closed after the session ended: its work is dropped. */
  void abandon(Path path) {
    recordEnd(path);
    path.drainControls(envelope -> {});
    path.drainRepeatable(fanOut::drop);
    drop(path.unacknowledgedWrites());
  }

  /** The session has ended: no peer will answer a fence. */
  void dropFenced() {
    for (Path path : fencing.values()) {
      drop(path.unacknowledgedWrites());
    }
    fencing.clear();
  }

  private void drop(ArrayDeque<Chunk> chunks) {
    Chunk chunk;
    while ((chunk = chunks.pollFirst()) != null) {
      fanOut.drop(chunk);
    }
  }

  /** Whether this path has closed. */
  boolean isGone(Path path) {
    return path.equals(gone[path.id()]);
  }

  /** Whether all these paths have closed. */
  boolean allGone(List<Path> all) {
    return all.stream().allMatch(this::isGone);
  }
}
