package io.maestro.verbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.maestro.testing.Identity;
import io.maestro.verbs.Access;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePair;
import io.maestro.verbs.VerbsException;
import io.maestro.verbs.VerbsException.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who gets in where connections are encrypted, and what others can do on the way. */
class TlsTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

  private static final Identity SERVER = Identity.of("server");
  private static final Identity CLIENT = Identity.of("client");
  private static final Identity STRANGER = Identity.of("stranger");
  private static final String PAYLOAD = "the weights of a model that is nobody else's business";

  private final WireFixture server =
      new WireFixture(ListenOptions.at(ANY), SERVER.trusting(CLIENT));
  private final Arena arena = Arena.ofShared();
  private @Nullable Device device;

  @AfterEach
  void close() {
    if (device != null) {
      device.close();
    }
    server.close();
    arena.close();
  }

  private WireFixture.Accepted dial(@Nullable SSLContext tls, InetSocketAddress remote) {
    return dial(tls, remote, Duration.ofSeconds(20));
  }

  private WireFixture.Accepted dial(
      @Nullable SSLContext tls, InetSocketAddress remote, Duration timeout) {
    Device opened = new IwarpProvider().open(new DeviceOptions(1, false, false, tls));
    device = opened;
    WireFixture.Accepted handler = server.new Accepted();
    QpOptions qp = new QpOptions(opened.allocateDomain(), opened.loops().getFirst(), 8, 8, 2);
    opened.connect(
        new ConnectOptions(ANY, remote, qp, ByteBuffer.allocate(0), timeout.toNanos()), handler);
    return handler;
  }

  private static VerbsException end(WireFixture.Accepted handler) throws InterruptedException {
    VerbsException cause = handler.closed.poll(20, TimeUnit.SECONDS);
    assertThat(cause).as("how it ended").isNotNull();
    return cause;
  }

  private static QueuePair established(WireFixture.Accepted handler) throws InterruptedException {
    QueuePair qp = handler.established.poll(20, TimeUnit.SECONDS);
    assertThat(qp).as("established, or ended: " + handler.closed).isNotNull();
    return qp;
  }

  /** Writes the payload to the server's region, and a message after it. */
  private void write(QueuePair qp) {
    MemorySegment memory = arena.allocate(PAYLOAD.length());
    memory.copyFrom(MemorySegment.ofArray(PAYLOAD.getBytes(StandardCharsets.US_ASCII)));
    qp.loop()
        .execute(
            () -> {
              MemoryRegion source = register(qp, memory);
              long address = server.target.remoteAddress();
              qp.postWrite(1, source, 0, PAYLOAD.length(), address, server.target.rkey());
              qp.postSend(2, source, 0, 1);
              qp.flush();
            });
  }

  private static MemoryRegion register(QueuePair qp, MemorySegment memory) {
    ProtectionDomain domain = ((IwarpQueuePair) qp).domain();
    return domain.register(memory, Set.<Access>of());
  }

  private void nobodyGotIn() {
    assertThat(server.accepted).isEmpty();
    assertThat(server.guardsAreUntouched()).isTrue();
  }

  @Test
  void whoeverListensOnTheWayLearnsNothing() throws Exception {
    try (Wiretap tap = new Wiretap(server.listener.local())) {
      write(established(dial(CLIENT.trusting(SERVER), tap.address())));
      server.nextAccepted().nextReceived();
      byte[] landed = server.memory.asSlice(0, PAYLOAD.length()).toArray(ValueLayout.JAVA_BYTE);
      assertThat(new String(landed, StandardCharsets.US_ASCII)).isEqualTo(PAYLOAD);
      String heard = new String(tap.heard(), StandardCharsets.ISO_8859_1);
      assertThat(heard).doesNotContain("business").doesNotContain("MPA ID").doesNotContain("CN=");
    }
  }

  @Test
  void aPeerWithoutACertificateIsRefused() throws Exception {
    VerbsException cause = end(dial(Identity.nobodyTrusting(SERVER), server.listener.local()));
    assertThat(cause.kind()).isEqualTo(Kind.PROTOCOL);
    assertThat(cause).hasMessageContaining("certificate");
    nobodyGotIn();
  }

  @Test
  void aPeerForWhomNobodyVouchesIsRefused() throws Exception {
    VerbsException cause = end(dial(STRANGER.trusting(SERVER), server.listener.local()));
    assertThat(cause.kind()).isEqualTo(Kind.PROTOCOL);
    assertThat(cause).hasMessageContaining("trust store vouches for");
    nobodyGotIn();
  }

  @Test
  void aServerForWhomNobodyVouchesIsToldNothing() throws Exception {
    VerbsException cause = end(dial(CLIENT.trusting(STRANGER), server.listener.local()));
    assertThat(cause.kind()).isEqualTo(Kind.PROTOCOL);
    nobodyGotIn();
  }

  @Test
  void aPeerThatDoesNotEncryptIsRefused() throws Exception {
    VerbsException cause = end(dial(null, server.listener.local()));
    assertThat(cause).hasMessageContaining("was not answered in MPA");
    nobodyGotIn();
  }

  @Test
  void aPeerThatEncryptsIsToldOfAServerThatDoesNot() throws Exception {
    try (WireFixture plain = new WireFixture()) {
      VerbsException cause = end(dial(CLIENT.trusting(SERVER), plain.listener.local()));
      assertThat(cause.kind()).isEqualTo(Kind.CONNECTION_LOST);
      assertThat(cause).hasMessageContaining("whether it uses TLS too");
      assertThat(plain.accepted).isEmpty();
    }
  }

  @Test
  void olderVersionsOfTlsAreRefused() throws Exception {
    SSLContext context = CLIENT.trusting(SERVER);
    try (Socket plain = new Socket(ANY.getAddress(), server.listener.local().getPort());
        SSLSocket socket =
            (SSLSocket) context.getSocketFactory().createSocket(plain, "server", 1, true)) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThat(catchThrowable(socket::startHandshake)).isInstanceOf(IOException.class);
    }
    nobodyGotIn();
  }

  @Test
  void whatWasHeardOnceOpensNothingWhenItIsSaidAgain() throws Exception {
    byte[] heard;
    try (Wiretap tap = new Wiretap(server.listener.local())) {
      write(established(dial(CLIENT.trusting(SERVER), tap.address())));
      server.nextAccepted().nextReceived();
      heard = tap.heard();
    }
    server.memory.fill((byte) 0);
    try (RawPeer replaying = RawPeer.to(server.listener.local())) {
      replaying.sendAnyway(heard);
      assertThat(replaying.isEnded()).isTrue();
    }
    assertThat(server.memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
    nobodyGotIn();
  }

  @Test
  void whatIsChangedOnTheWayIsNotPlaced() throws Exception {
    try (Wiretap tap = new Wiretap(server.listener.local())) {
      QueuePair qp = established(dial(CLIENT.trusting(SERVER), tap.address()));
      WireFixture.Accepted accepted = server.nextAccepted();
      established(accepted);
      tap.falsify();
      write(qp);
      assertThat(end(accepted).kind()).isEqualTo(Kind.CONNECTION_LOST);
    }
    assertThat(server.memory.get(ValueLayout.JAVA_BYTE, 0)).isZero();
  }

  @Test
  void aStreamThatIsCutOffIsNotOneThatWasClosed() throws Exception {
    try (Wiretap tap = new Wiretap(server.listener.local())) {
      established(dial(CLIENT.trusting(SERVER), tap.address()));
      WireFixture.Accepted accepted = server.nextAccepted();
      established(accepted);
      tap.cutOff();
      VerbsException cause = end(accepted);
      assertThat(cause.kind()).isEqualTo(Kind.CONNECTION_LOST);
      assertThat(cause).hasMessageContaining("cut");
    }
  }

  @Test
  void aPeerThatStallsInTheHandshakeIsLeftInTime() throws Exception {
    Duration patience = Duration.ofMillis(200);
    ListenOptions impatient = new ListenOptions(ANY, 16, patience.toNanos(), 4);
    try (WireFixture listening = new WireFixture(impatient, SERVER.trusting(CLIENT));
        RawPeer silent = RawPeer.to(listening.listener.local())) {
      // The first bytes of a record that announces more than ever comes.
      silent.send(new byte[] {22, 3, 1, 0x3F, (byte) 0xFF, 1});
      assertThat(silent.isEnded()).isTrue();
      assertThat(listening.accepted).isEmpty();
    }
  }

  @Test
  void theDiallingSideDoesNotWaitForAServerThatSaysNothing() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 8, ANY.getAddress())) {
      VerbsException cause =
          end(
              dial(
                  CLIENT.trusting(SERVER),
                  (InetSocketAddress) mute.getLocalSocketAddress(),
                  Duration.ofMillis(200)));
      assertThat(cause.kind()).isEqualTo(Kind.TIMED_OUT);
    }
  }
}
