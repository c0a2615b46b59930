package io.maestro.verbs.ffi.rdma;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A structure of C as a 64-bit Linux lays it out: each member at the next multiple of its
 * alignment.
 *
 * @param name its name in C, such as {@code ibv_sge}
 * @param layout its members, and padding without a name
 * @param complete false when only the first members are known here: the library allocates it, and
 *     what follows differs between machines or versions
 */
record CStruct(String name, StructLayout layout, boolean complete) {

  static CStruct of(String name, MemoryLayout... members) {
    return new CStruct(name, padded(members), true);
  }

  static CStruct beginningOf(String name, MemoryLayout... members) {
    return new CStruct(name, padded(members), false);
  }

  /** A member that is itself a structure. */
  static StructLayout nested(String member, MemoryLayout... members) {
    return padded(members).withName(member);
  }

  /** This structure as a member of another. */
  StructLayout as(String member) {
    return layout.withName(member);
  }

  static MemoryLayout pointer(String member) {
    return ValueLayout.ADDRESS.withName(member);
  }

  static MemoryLayout u64(String member) {
    return ValueLayout.JAVA_LONG.withName(member);
  }

  static MemoryLayout u32(String member) {
    return ValueLayout.JAVA_INT.withName(member);
  }

  static MemoryLayout u16(String member) {
    return ValueLayout.JAVA_SHORT.withName(member);
  }

  static MemoryLayout u8(String member) {
    return ValueLayout.JAVA_BYTE.withName(member);
  }

  static MemoryLayout bytes(String member, long count) {
    return MemoryLayout.sequenceLayout(count, ValueLayout.JAVA_BYTE).withName(member);
  }

  /** Bytes; of a structure that is not complete, those up to its last known member. */
  long size() {
    return layout.byteSize();
  }

  /** Where a member begins, its path written as in C: {@code cap.max_send_wr}. */
  long offset(String path) {
    return layout.byteOffset(path(path));
  }

  /** The length in bytes of a member. */
  long size(String path) {
    return layout.select(path(path)).byteSize();
  }

  private static PathElement[] path(String path) {
    return Stream.of(path.split("\\.", -1))
        .map(PathElement::groupElement)
        .toArray(PathElement[]::new);
  }

  private static StructLayout padded(MemoryLayout... members) {
    List<MemoryLayout> all = new ArrayList<>();
    long end = 0;
    long alignment = 1;
    for (MemoryLayout member : members) {
      end = pad(all, end, member.byteAlignment());
      all.add(member);
      end += member.byteSize();
      alignment = Math.max(alignment, member.byteAlignment());
    }
    pad(all, end, alignment);
    return MemoryLayout.structLayout(all.toArray(MemoryLayout[]::new));
  }

  private static long pad(List<MemoryLayout> into, long end, long alignment) {
    long next = (end + alignment - 1) / alignment * alignment;
    if (next > end) {
      into.add(MemoryLayout.paddingLayout(next - end));
    }
    return next;
  }
}
