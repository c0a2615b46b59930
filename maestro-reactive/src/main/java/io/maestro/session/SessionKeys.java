package io.maestro.session;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** What one side of a session needs to prove that a path or a first message is its own. */
final class SessionKeys {
  static final int PROOF_BYTES = HandshakeSecret.MAC_BYTES;

  private final SessionId id;
  private final SessionParameters parameters;
  private final String peerName;
  private final HandshakeSecret session;
  private final byte[] confirm;
  private final SecureRandom random;
  private final long[] nextGeneration = new long[SessionParameters.MAX_PATHS];

  SessionKeys(
      HandshakeFormat.Hello peer, HandshakeSecret session, byte[] confirm, SecureRandom random) {
    this.id = peer.id();
    this.parameters = peer.parameters();
    this.peerName = peer.name();
    this.session = session;
    this.confirm = confirm;
    this.random = random;
    nextGeneration[0] = 1; // generation 0 of path 0 is the connection that opened the session
  }

  /** What a connection request asks for; nothing is verified. Any bytes. */
  static HandshakeKind kindOf(ByteBuffer privateData) {
    return switch (HandshakeFormat.kindOf(privateData)) {
      case HandshakeFormat.CONNECT -> HandshakeKind.CONNECT;
      case HandshakeFormat.JOIN -> HandshakeKind.JOIN;
      case HandshakeFormat.METER -> HandshakeKind.METER;
      default -> HandshakeKind.UNKNOWN;
    };
  }

  /**
   * The session that a JOIN names, to find the keys that can verify it.
   *
   * @throws HandshakeException when it is not a well-formed JOIN
   */
  static SessionId sessionOf(ByteBuffer join) {
    return HandshakeFormat.readId(HandshakeFormat.open(HandshakeFormat.JOIN, join));
  }

  /**
   * The session that a METER names.
   *
   * @throws HandshakeException when it is not a well-formed METER
   */
  static SessionId sessionOfMeter(ByteBuffer meter) {
    return HandshakeFormat.readId(HandshakeFormat.open(HandshakeFormat.METER, meter));
  }

  SessionId id() {
    return id;
  }

  /** What both sides have agreed on. */
  SessionParameters parameters() {
    return parameters;
  }

  /** The name that the peer gave, possibly empty. */
  String peerName() {
    return peerName;
  }

  /** The client's proof that it made its CONNECT now: the first message on path 0, 32 bytes. */
  byte[] confirmProof() {
    return confirm.clone();
  }

  /** Whether the bytes between position and limit are the peer's {@link #confirmProof}. */
  boolean isConfirm(ByteBuffer proof) {
    return HandshakeSecret.matches(confirm, proof);
  }

  /**
   * A JOIN to send as private data, read-only, of one more path.
   *
   * @param pathId below 64
   * @param generation unsigned and larger at each attempt of the same path; the server refuses
   *     others. The path 0 that opened the session had 0.
   */
  ByteBuffer join(int pathId, int generation) {
    if (pathId < 0 || pathId >= SessionParameters.MAX_PATHS) {
      throw new IllegalArgumentException("path id out of range: " + pathId);
    }
    ByteBuffer nonce = HandshakeFormat.nonce(random);
    ByteBuffer message = HandshakeFormat.join(id, nonce, pathId, generation);
    byte[] mac = session.mac(HandshakeFormat.JOIN, HandshakeFormat.signed(message));
    return HandshakeFormat.seal(message, mac);
  }

  /**
   * Verifies a JOIN and uses up its generation, so that it passes only once. Any thread.
   *
   * @throws HandshakeException when it is malformed, of another session, forged, or a replay
   */
  Join verifyJoin(ByteBuffer privateData) {
    ByteBuffer message = HandshakeFormat.open(HandshakeFormat.JOIN, privateData);
    byte[] mac = session.mac(HandshakeFormat.JOIN, HandshakeFormat.signed(message));
    // The session id is not compared: another session's key gives another MAC.
    HandshakeFormat.check(
        HandshakeSecret.matches(mac, HandshakeFormat.mac(message)),
        "this join does not belong to session " + id);
    Join join = HandshakeFormat.readJoin(message);
    HandshakeFormat.check(
        join.pathId() < SessionParameters.MAX_PATHS, "there is no path " + join.pathId());
    HandshakeFormat.check(useUp(join), join + " has been used before");
    return join;
  }

  private boolean useUp(Join join) {
    long generation = Integer.toUnsignedLong(join.generation());
    synchronized (nextGeneration) {
      if (generation < nextGeneration[join.pathId()]) {
        return false;
      }
      nextGeneration[join.pathId()] = generation + 1;
      return true;
    }
  }

  /** The answer to a verified JOIN, read-only. */
  ByteBuffer joinAccept(Join join) {
    return HandshakeFormat.seal(HandshakeFormat.joinAccept(), joinAcceptMac(join.message()));
  }

  /** Whether {@code answer} is the server's answer to the {@code join} that was made here. */
  boolean isJoinAccept(ByteBuffer join, ByteBuffer answer) {
    try {
      ByteBuffer message = HandshakeFormat.open(HandshakeFormat.JOIN_ACCEPT, answer);
      return HandshakeSecret.matches(joinAcceptMac(join), HandshakeFormat.mac(message));
    } catch (HandshakeException e) {
      return false;
    }
  }

  private byte[] joinAcceptMac(ByteBuffer join) {
    return session.mac(HandshakeFormat.JOIN_ACCEPT, join);
  }

  /** A METER to send as private data, read-only, of a queue pair that measures a path. */
  ByteBuffer meter() {
    ByteBuffer message = HandshakeFormat.meter(id, HandshakeFormat.nonce(random));
    return HandshakeFormat.seal(
        message, session.mac(HandshakeFormat.METER, HandshakeFormat.signed(message)));
  }

  /**
   * The METER itself, verified. It may be a replay, which gains nothing but memory of its own.
   *
   * @throws HandshakeException when it is malformed, of another session, or forged
   */
  ByteBuffer verifyMeter(ByteBuffer privateData) {
    ByteBuffer message = HandshakeFormat.open(HandshakeFormat.METER, privateData);
    byte[] mac = session.mac(HandshakeFormat.METER, HandshakeFormat.signed(message));
    HandshakeFormat.check(
        HandshakeSecret.matches(mac, HandshakeFormat.mac(message)),
        "this measurement does not belong to session " + id);
    return message;
  }

  /** The answer to a verified METER, read-only. */
  ByteBuffer meterAccept(ByteBuffer meter, MeterTarget target) {
    ByteBuffer message = HandshakeFormat.meterAccept(target);
    return HandshakeFormat.seal(message, meterMac(meter, message));
  }

  private byte[] meterMac(ByteBuffer meter, ByteBuffer message) {
    return session.mac(HandshakeFormat.METER_ACCEPT, meter, HandshakeFormat.signed(message));
  }

  /**
   * What the server answered to the {@code meter} that was made here.
   *
   * @throws HandshakeException when it is no such answer
   */
  MeterTarget readMeterAccept(ByteBuffer meter, ByteBuffer answer) {
    ByteBuffer message = HandshakeFormat.open(HandshakeFormat.METER_ACCEPT, answer);
    HandshakeFormat.check(
        HandshakeSecret.matches(meterMac(meter, message), HandshakeFormat.mac(message)),
        "the peer does not know the session's secret");
    return HandshakeFormat.readMeterAccept(message);
  }

  @Override
  public String toString() {
    return "SessionKeys[%s, %s, ***]".formatted(id, parameters);
  }
}
