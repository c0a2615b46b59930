package io.maestro.trainer.fault;

import io.maestro.verbs.Completions;
import io.maestro.verbs.WcOpcode;
import io.maestro.verbs.WcStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Completions that outlive the call that brought them. */
final class KeptCompletions implements Completions {

  private final List<Entry> entries;

  private record Entry(long wrId, WcOpcode opcode, WcStatus status, int byteLength) {}

  private KeptCompletions(List<Entry> entries) {
    this.entries = entries;
  }

  static KeptCompletions of(Completions batch) {
    List<Entry> entries = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      entries.add(new Entry(batch.wrId(i), batch.opcode(i), batch.status(i), batch.byteLength(i)));
    }
    return new KeptCompletions(entries);
  }

  /** The end of work that was never done. */
  static KeptCompletions flushed(Collection<Post> posts) {
    return new KeptCompletions(
        posts.stream()
            .map(post -> new Entry(post.wrId(), post.opcode(), WcStatus.FLUSHED, 0))
            .toList());
  }

  /** The same work, as it ends when nobody is to know whether it was done. */
  KeptCompletions flushed() {
    return new KeptCompletions(
        entries.stream()
            .map(entry -> new Entry(entry.wrId(), entry.opcode(), WcStatus.FLUSHED, 0))
            .toList());
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public long wrId(int index) {
    return entries.get(index).wrId();
  }

  @Override
  public WcOpcode opcode(int index) {
    return entries.get(index).opcode();
  }

  @Override
  public WcStatus status(int index) {
    return entries.get(index).status();
  }

  @Override
  public int byteLength(int index) {
    return entries.get(index).byteLength();
  }
}
