package io.maestro.session;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The layout of the handshake messages, which travel as private data of connect and accept.
 *
 * <pre>
 * every message  magic u32 | version u16 | kind u8 | name length u8 | … | MAC 32
 * CONNECT ACCEPT session id 16 (0 in CONNECT) | nonce 32 | chunk u32 | eager u32 | messages u32
 *                | paths u16 | keep-alive ns u64 | name ≤ 64
 * JOIN           session id 16 | nonce 32 | path u16 | generation u32
 * JOIN_ACCEPT    nothing more
 * METER          session id 16 | nonce 32
 * METER_ACCEPT   address u64 | rkey u32 | bytes u32
 * </pre>
 *
 * Big-endian. Zeros may follow, because connection managers of RDMA NICs pad private data.
 */
final class HandshakeFormat {
  static final int CONNECT = 1;
  static final int ACCEPT = 2;
  static final int CONFIRM = 3;
  static final int JOIN = 4;
  static final int JOIN_ACCEPT = 5;
  static final int METER = 6;
  static final int METER_ACCEPT = 7;

  static final int MAX_NAME_BYTES = 64;

  private static final int MAGIC = 0x4d535452; // "MSTR"
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 8;
  private static final int ID_OFFSET = HEADER_BYTES;
  private static final int NONCE_OFFSET = ID_OFFSET + 16;
  private static final int NONCE_BYTES = 32;
  private static final int BODY_OFFSET = NONCE_OFFSET + NONCE_BYTES;
  private static final int TARGET_BYTES = 16;
  private static final int NAME_OFFSET = BODY_OFFSET + 22;

  private HandshakeFormat() {}

  /** What both sides say when a session is opened; {@code id} is 0 in a CONNECT. */
  record Hello(SessionId id, ByteBuffer nonce, SessionParameters parameters, String name) {}

  static ByteBuffer nonce(SecureRandom random) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    return ByteBuffer.wrap(nonce).asReadOnlyBuffer();
  }

  /** The name itself, when a peer would take it. */
  static String requireName(String name) {
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES || !isPrintable(name)) {
      throw new IllegalArgumentException(
          "a name has at most %d bytes of UTF-8 and no control characters"
              .formatted(MAX_NAME_BYTES));
    }
    return name;
  }

  /** It goes into logs and meters, where a line break would let a peer forge entries. */
  private static boolean isPrintable(String name) {
    return name.codePoints().noneMatch(Character::isISOControl);
  }

  /** A CONNECT or an ACCEPT with room for its MAC: see {@link #seal}. */
  static ByteBuffer hello(int kind, Hello hello) {
    byte[] name = hello.name.getBytes(StandardCharsets.UTF_8);
    SessionParameters parameters = hello.parameters;
    return begin(kind, NAME_OFFSET + name.length, name.length)
        .putLong(hello.id.high())
        .putLong(hello.id.low())
        .put(hello.nonce.duplicate())
        .putInt(parameters.chunkBytes())
        .putInt(parameters.eagerBytes())
        .putInt(parameters.maxMessages())
        .putShort((short) parameters.paths())
        .putLong(parameters.keepAliveNs())
        .put(name);
  }

  static ByteBuffer join(SessionId id, ByteBuffer nonce, int pathId, int generation) {
    return begin(JOIN, BODY_OFFSET + 6, 0)
        .putLong(id.high())
        .putLong(id.low())
        .put(nonce.duplicate())
        .putShort((short) pathId)
        .putInt(generation);
  }

  static ByteBuffer joinAccept() {
    return begin(JOIN_ACCEPT, HEADER_BYTES, 0);
  }

  static ByteBuffer meter(SessionId id, ByteBuffer nonce) {
    return begin(METER, BODY_OFFSET, 0).putLong(id.high()).putLong(id.low()).put(nonce.duplicate());
  }

  static ByteBuffer meterAccept(MeterTarget target) {
    return begin(METER_ACCEPT, HEADER_BYTES + TARGET_BYTES, 0)
        .putLong(target.address())
        .putInt(target.rkey())
        .putInt(target.bytes());
  }

  /** Reads what {@link #open} gave for a METER_ACCEPT. */
  static MeterTarget readMeterAccept(ByteBuffer message) {
    return new MeterTarget(
        message.getLong(HEADER_BYTES),
        message.getInt(HEADER_BYTES + 8),
        message.getInt(HEADER_BYTES + 12));
  }

  private static ByteBuffer begin(int kind, int signedBytes, int nameBytes) {
    return ByteBuffer.allocate(signedBytes + HandshakeSecret.MAC_BYTES)
        .putInt(MAGIC)
        .putShort((short) VERSION)
        .put((byte) kind)
        .put((byte) nameBytes);
  }

  /** Puts the MAC in its place; what it covers is {@link #signed}. */
  static ByteBuffer seal(ByteBuffer message, byte[] mac) {
    return message.put(mac).flip().asReadOnlyBuffer();
  }

  /** The part of a message that its MAC covers. */
  static ByteBuffer signed(ByteBuffer message) {
    return message.slice(0, message.limit() - HandshakeSecret.MAC_BYTES);
  }

  static ByteBuffer mac(ByteBuffer message) {
    return message.slice(message.limit() - HandshakeSecret.MAC_BYTES, HandshakeSecret.MAC_BYTES);
  }

  /** The kind, -1 when the bytes are no message of this protocol in any version. */
  static int kindOf(ByteBuffer bytes) {
    ByteBuffer in = bytes.slice();
    return in.remaining() >= HEADER_BYTES && in.getInt(0) == MAGIC ? in.get(6) : -1;
  }

  /**
   * A copy of the message without padding, of the right kind and length, nothing more checked.
   *
   * @throws HandshakeException when it is anything else
   */
  static ByteBuffer open(int kind, ByteBuffer bytes) {
    ByteBuffer in = bytes.slice();
    check(kindOf(in) == kind, "the peer does not speak Maestro's handshake here");
    int version = in.getShort(4) & 0xffff;
    check(
        version == VERSION,
        "the peer speaks version %d of the protocol, this side %d: use the same release"
            .formatted(version, VERSION));
    int nameBytes = in.get(7) & 0xff;
    check(nameBytes <= (hasName(kind) ? MAX_NAME_BYTES : 0), "the name is too long");
    int length = fixedBytes(kind) + nameBytes + HandshakeSecret.MAC_BYTES;
    check(in.remaining() >= length, "bytes are missing");
    for (int i = length; i < in.limit(); i++) {
      check(in.get(i) == 0, "bytes follow the message");
    }
    return ByteBuffer.allocate(length).put(in.limit(length)).flip().asReadOnlyBuffer();
  }

  private static boolean hasName(int kind) {
    return kind == CONNECT || kind == ACCEPT;
  }

  private static int fixedBytes(int kind) {
    return switch (kind) {
      case CONNECT, ACCEPT -> NAME_OFFSET;
      case JOIN -> BODY_OFFSET + 6;
      case METER -> BODY_OFFSET;
      case METER_ACCEPT -> HEADER_BYTES + TARGET_BYTES;
      default -> HEADER_BYTES;
    };
  }

  /** Reads what {@link #open} gave for a CONNECT or an ACCEPT. */
  static Hello readHello(ByteBuffer message) {
    ByteBuffer in = message.duplicate().position(BODY_OFFSET);
    SessionParameters parameters;
    try {
      parameters =
          new SessionParameters(
              in.getInt(), in.getInt(), in.getInt(), in.getShort() & 0xffff, in.getLong());
    } catch (IllegalArgumentException e) {
      throw new HandshakeException("handshake: the peer's " + e.getMessage());
    }
    ByteBuffer nonce = message.slice(NONCE_OFFSET, NONCE_BYTES);
    return new Hello(readId(message), nonce, parameters, readName(signed(message)));
  }

  /** Reads what {@link #open} gave for a JOIN. */
  static Join readJoin(ByteBuffer message) {
    int pathId = message.getShort(BODY_OFFSET) & 0xffff;
    return new Join(pathId, message.getInt(BODY_OFFSET + 2), message);
  }

  static SessionId readId(ByteBuffer message) {
    return new SessionId(message.getLong(ID_OFFSET), message.getLong(ID_OFFSET + 8));
  }

  private static String readName(ByteBuffer signed) {
    try {
      String name =
          StandardCharsets.UTF_8.newDecoder().decode(signed.position(NAME_OFFSET)).toString();
      check(isPrintable(name), "the name has control characters");
      return name;
    } catch (CharacterCodingException e) {
      throw new HandshakeException("handshake: the name is not UTF-8");
    }
  }

  static void check(boolean holds, String reason) {
    if (!holds) {
      throw new HandshakeException("handshake: " + reason);
    }
  }
}
