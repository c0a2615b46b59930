package io.maestro.verbs.iwarp;

import static io.maestro.verbs.iwarp.WireBytes.reply;
import static io.maestro.verbs.iwarp.WireBytes.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.VerbsException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The requesting side of the MPA start-up against a listener that speaks by hand. */
class WireDialTest {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  /** IRD 2 with the peer-to-peer bit, ORD 2 with the WRITE bit: see {@link WireFixture#qp()}. */
  private static final byte[] REQUEST =
      request(0x10, 2, new byte[] {(byte) 0x80, 2, (byte) 0x80, 2, 42});

  private final WireFixture fixture = new WireFixture();
  private final WireFixture.Accepted handler = fixture.new Accepted();
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 8, LOOPBACK);
    server.setSoTimeout(10_000);
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    fixture.close();
  }

  private RawPeer dialled() throws IOException {
    fixture.device.connect(
        new ConnectOptions(
            new InetSocketAddress(LOOPBACK, 0),
            (InetSocketAddress) server.getLocalSocketAddress(),
            fixture.qp(),
            ByteBuffer.wrap(new byte[] {42}),
            TimeUnit.SECONDS.toNanos(5)),
        handler);
    RawPeer peer = new RawPeer(server.accept());
    assertThat(peer.receive(REQUEST.length)).isEqualTo(REQUEST);
    return peer;
  }

  @Test
  void anEnhancedReplyIsFollowedByAnEmptyWrite() throws Exception {
    try (RawPeer peer = dialled()) {
      peer.send(reply(0x10, 2, (byte) 0x80, (byte) 2, (byte) 0x80, (byte) 2));
      assertThat(handler.established.poll(10, TimeUnit.SECONDS)).isNotNull();
      assertThat(peer.receiveUlpdu()).isEqualTo(ByteBuffer.wrap(WireBytes.write(0, 0)));
    }
  }

  @Test
  void aReplyOfRevision1IsTaken() throws Exception {
    try (RawPeer peer = dialled()) {
      peer.send(reply(0, 1));
      assertThat(handler.established.poll(10, TimeUnit.SECONDS)).isNotNull();
      peer.send(WireBytes.fpdu(false, WireBytes.send(1, (byte) 1)));
      assertThat(handler.nextReceived().bytes()).isEqualTo(1);
    }
  }

  @Test
  void aRejectionInRevision1IsFollowedByARequestInRevision1() throws Exception {
    try (RawPeer peer = dialled()) {
      peer.send(reply(0x20, 1));
      try (RawPeer again = new RawPeer(server.accept())) {
        byte[] plain = request(0, 1, (byte) 42);
        assertThat(again.receive(plain.length)).isEqualTo(plain);
        again.send(reply(0x40, 1));
        assertThat(handler.established.poll(10, TimeUnit.SECONDS)).isNotNull();
        again.send(WireBytes.fpdu(true, WireBytes.send(1)));
        assertThat(handler.nextReceived().bytes()).isZero();
      }
    }
  }

  @Test
  void aRejectionInRevision2IsFinal() throws Exception {
    try (RawPeer peer = dialled()) {
      peer.send(reply(0x30, 2, new byte[] {0, 0, 0, 0, 9}));
      assertThat(handler.closed.poll(10, TimeUnit.SECONDS))
          .satisfies(cause -> assertThat(cause.kind()).isEqualTo(Kind.REJECTED))
          .satisfies(
              cause -> assertThat(cause.privateData()).isEqualTo(ByteBuffer.wrap(new byte[] {9})));
    }
  }

  @Test
  void anotherProtocolIsNamed() throws Exception {
    try (RawPeer peer = dialled()) {
      peer.send("HTTP/1.1 400 Bad Request\r\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
      assertThat(handler.closedKind()).isEqualTo(Kind.PROTOCOL);
    }
  }

  @Test
  void markersAreRefused() throws Exception {
    try (RawPeer peer = dialled()) {
      peer.send(reply(0x80, 1));
      assertThat(handler.closedKind()).isEqualTo(Kind.PROTOCOL);
    }
  }

  @Test
  void aCloseWithoutAnAnswerIsALostConnection() throws Exception {
    dialled().close();
    assertThat(handler.closedKind()).isEqualTo(Kind.CONNECTION_LOST);
  }

  @Test
  void aTruncatedReplyIsABreachOfTheProtocol() throws Exception {
    try (RawPeer peer = dialled()) {
      peer.send(new byte[] {'M', 'P', 'A'});
      peer.endOutput();
      assertThat(handler.closedKind()).isEqualTo(Kind.PROTOCOL);
    }
  }
}
