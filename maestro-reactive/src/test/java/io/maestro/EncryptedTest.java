package io.maestro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import io.maestro.testing.Identity;
import io.maestro.verbs.sim.SimFabric;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whole connections over TLS. */
class EncryptedTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);

  private static final Identity ALICE = Identity.of("alice");
  private static final Identity BOB = Identity.of("bob");
  private static final Identity EVE = Identity.of("eve");

  @Test
  void messagesOverFourEncryptedPathsArriveWhole() {
    byte[] content = new byte[8 << 20];
    new Random(1).nextBytes(content);
    try (Maestro from = maestro(ALICE, BOB);
        Maestro to = maestro(BOB, ALICE);
        Region region = Region.allocate(content.length)) {
      region.segment().copyFrom(MemorySegment.ofArray(content));
      Binding listener = Objects.requireNonNull(to.bind(ANY).block(LIMIT));
      var arrived =
          listener
              .connections()
              .flatMap(Connection::receive)
              .map(
                  message -> {
                    try (message) {
                      return message.data().mismatch(MemorySegment.ofArray(content));
                    }
                  })
              .take(2)
              .collectList()
              .toFuture();
      Connection connection = Objects.requireNonNull(from.connect(remotes(listener)).block(LIMIT));
      connection.send(region).block(LIMIT);
      connection.send(region).block(LIMIT);
      assertThat(arrived.orTimeout(30, TimeUnit.SECONDS).join()).containsExactly(-1L, -1L);
      assertThat(connection.paths()).hasSize(4);
    }
  }

  @Test
  void aPeerThatProvesToBeSomebodyElseGetsATypedError() {
    try (Maestro from = maestro(EVE, BOB);
        Maestro to = maestro(BOB, ALICE)) {
      Binding listener = Objects.requireNonNull(to.bind(ANY).block(LIMIT));
      assertThatThrownBy(() -> from.connect(remotes(listener)).block(LIMIT))
          .isInstanceOf(MaestroException.Refused.class)
          .hasMessageContaining("certificate");
    }
  }

  @Test
  void peersOnOtherMachinesNeedNoSecretWhereCertificatesProveWhoTheyAre() {
    assertThat(MaestroConfig.defaults().security().admitsOtherMachines()).isFalse();
    MaestroConfig config = MaestroConfig.with(b -> b.tls(ALICE.trusting(BOB)));
    assertThat(config.security().admitsOtherMachines()).isTrue();
    assertThat(config.toString()).contains("tls=true");
  }

  @Test
  void aProviderThatCannotEncryptIsRefusedAtTheStart() {
    SimFabric fabric = SimFabric.builder().address("10.0.0.1").build();
    MaestroConfig config = MaestroConfig.with(b -> b.tls(ALICE.trusting(BOB)));
    assertThatThrownBy(() -> Maestro.builder(config).provider(fabric.provider()).create())
        .isInstanceOf(MaestroException.Unsupported.class)
        .hasMessageContaining("provider sim cannot encrypt");
  }

  private static InetSocketAddress[] remotes(Binding binding) {
    return binding.addresses().toArray(InetSocketAddress[]::new);
  }

  private static Maestro maestro(Identity own, Identity trusted) {
    return Maestro.create(MaestroConfig.with(b -> b.paths(4).tls(own.trusting(trusted))));
  }
}
