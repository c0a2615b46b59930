package io.maestro.collective;

import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Why a rank has ended its communicator, for the others.
 *
 * @param lost the rank that is gone, for {@link Reason#LOST}
 * @param text what the rank's own calls fail with
 */
record Notice(Reason reason, int lost, String text) {

  private static final int MAX_CHARS = 1000;

  enum Reason {
    /** A rank is gone. */
    LOST(0),
    /** The rank that tells has left. */
    LEFT(1),
    /** A call has failed otherwise. */
    FAILED(2);

    private final int code;

    Reason(int code) {
      this.code = code;
    }

    private static Reason of(int code) {
      return switch (code) {
        case 0 -> LOST;
        case 1 -> LEFT;
        case 2 -> FAILED;
        default -> throw unreadable();
      };
    }
  }

  static Notice of(Throwable cause) {
    String text = String.valueOf(cause.getMessage());
    return cause instanceof MaestroException.MemberLost member
        ? new Notice(Reason.LOST, member.rank(), text)
        : new Notice(Reason.FAILED, 0, text);
  }

  static Notice left(Throwable cause) {
    return new Notice(Reason.LEFT, 0, String.valueOf(cause.getMessage()));
  }

  Tag tag() {
    return new Tag(Tag.Kind.NOTICE, 0, reason.code, lost, 0);
  }

  /** The text as a message of its own memory. */
  Region body() {
    String start = text.substring(0, Math.min(MAX_CHARS, text.length()));
    byte[] bytes = start.getBytes(StandardCharsets.UTF_8);
    Region region = Region.allocate(bytes.length);
    region.segment().copyFrom(MemorySegment.ofArray(bytes));
    return region;
  }

  /**
   * Reads one.
   *
   * @throws MaestroException.Refused when it is none
   */
  static Notice read(Tag tag, Message message) {
    if (message.size() > 4L * MAX_CHARS) {
      throw unreadable();
    }
    byte[] bytes = message.data().toArray(ValueLayout.JAVA_BYTE);
    String text = new String(bytes, StandardCharsets.UTF_8);
    return new Notice(Reason.of(tag.what()), tag.slice(), text);
  }

  private static MaestroException unreadable() {
    return new MaestroException.Refused("a notice of a rank is unreadable", null);
  }

  /**
   * What it means for the rank that is told.
   *
   * @param from who tells
   */
  MaestroException meaning(int ownRank, RankLink from) {
    return switch (reason) {
      case LOST ->
          lost == ownRank
              ? from.lost("it takes this rank for lost", null)
              : new MaestroException.MemberLost(text, lost, "rank " + lost, null);
      case LEFT -> from.lost("it has left", null);
      case FAILED ->
          new MaestroException.Rejected(
              "communicator-ended",
              "rank %d has ended the communicator: %s".formatted(from.rank(), text));
    };
  }
}
