package io.maestro.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.maestro.api.MaestroException.AddressSetupFailed;
import io.maestro.api.MaestroException.AddressSetupFailed.Reason;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class AliasRegistryTest {
  private final FakeKernel kernel = new FakeKernel("lo 127.0.0.1", "eth0 10.0.0.1", "eth1");
  private final AliasRegistry registry = new AliasRegistry(kernel, kernel::interfaces);

  @Test
  void whatIsMissingIsAddedAndRemovedAgain() {
    try (AliasLease lease = registry.add(aliases("eth0", "10.0.0.7", "fd00::7"))) {
      assertThat(lease.addresses()).hasSize(2);
      assertThat(lease.added()).hasSize(2);
      assertThat(kernel.addresses("eth0"))
          .containsExactly("10.0.0.1", "10.0.0.7", "fd00:0:0:0:0:0:0:7");
    }
    assertThat(kernel.addresses("eth0")).containsExactly("10.0.0.1");
    assertThat(kernel.commands())
        .containsExactly(
            "ip addr add 10.0.0.7/32 dev eth0",
            "ip addr add fd00:0:0:0:0:0:0:7/128 dev eth0 nodad",
            "ip addr del fd00:0:0:0:0:0:0:7/128 dev eth0",
            "ip addr del 10.0.0.7/32 dev eth0");
  }

  @Test
  void whatWasThereBeforeStays() {
    try (AliasLease lease = registry.add(aliases("eth0", "10.0.0.1"))) {
      assertThat(lease.added()).isEmpty();
      assertThat(lease.addresses()).hasSize(1);
    }
    assertThat(kernel.addresses("eth0")).containsExactly("10.0.0.1");
    assertThat(kernel.commands()).isEmpty();
  }

  @Test
  void anAliasStaysUntilTheLastLeaseOnItIsClosed() {
    AliasLease first = registry.add(aliases("eth0", "10.0.0.7", "10.0.0.7"));
    AliasLease second = registry.add(aliases("eth0", "10.0.0.7"));
    first.close();
    first.close();
    assertThat(kernel.addresses("eth0")).contains("10.0.0.7");
    second.close();
    assertThat(kernel.addresses("eth0")).doesNotContain("10.0.0.7");
  }

  @Test
  void whenOneCannotBeAddedNoneIs() {
    kernel.refuse("10.0.0.9", "RTNETLINK answers: No buffer space available");
    AddressSetupFailed failure = failureOf(aliases("eth0", "10.0.0.7", "10.0.0.8", "10.0.0.9"));
    assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
    assertThat(failure).hasMessageContaining("No buffer space available");
    assertThat(kernel.addresses("eth0")).containsExactly("10.0.0.1");
  }

  @Test
  void withoutThePrivilegeTheErrorHasTheCommandToRunByHand() {
    kernel.refuse("10.0.0.7", "RTNETLINK answers: Operation not permitted");
    AddressSetupFailed failure = failureOf(aliases("eth0", "10.0.0.7"));
    assertThat(failure.reason()).isEqualTo(Reason.NOT_PRIVILEGED);
    assertThat(failure.command()).isEqualTo("sudo ip addr add 10.0.0.7/32 dev eth0");
    assertThat(failure).hasMessageContaining(failure.command());
  }

  @Test
  void anUnknownInterfaceIsNamed() {
    AddressSetupFailed failure = failureOf(aliases("eth7", "10.0.0.7"));
    assertThat(failure.reason()).isEqualTo(Reason.NO_INTERFACE);
    assertThat(failure).hasMessageContaining("eth7");
  }

  @Test
  void anAddressOfAnotherInterfaceIsNotMoved() {
    AddressSetupFailed failure = failureOf(aliases("eth1", "10.0.0.1"));
    assertThat(failure.reason()).isEqualTo(Reason.ON_ANOTHER_INTERFACE);
    assertThat(failure).hasMessageContaining("eth0");
    assertThat(kernel.commands()).isEmpty();
  }

  @Test
  void loopbackAnswersOnAllOf127WithoutAnyCommand() {
    try (AliasLease lease = registry.add(aliases("lo", "127.0.0.5"))) {
      assertThat(lease.added()).isEmpty();
    }
    assertThat(kernel.commands()).isEmpty();
  }

  @Test
  void anAliasThatSomebodyElseAddsOrRemovesMeanwhileIsNoError() {
    kernel.raceFor("10.0.0.7");
    try (AliasLease lease = registry.add(aliases("eth0", "10.0.0.7"))) {
      assertThat(lease.added()).isEmpty();
    }
    assertThat(kernel.addresses("eth0")).contains("10.0.0.7");
    AliasLease lease = registry.add(aliases("eth0", "10.0.0.8"));
    kernel.forget("eth0", "10.0.0.8");
    assertThatCode(lease::close).doesNotThrowAnyException();
  }

  @Test
  void anAliasThatCannotBeRemovedKeepsNoOtherFromBeingRemoved() {
    AliasLease lease = registry.add(aliases("eth0", "10.0.0.7", "10.0.0.8", "10.0.0.9"));
    kernel.refuse("10.0.0.8", "RTNETLINK answers: Operation not permitted");
    assertThatThrownBy(lease::close)
        .isInstanceOf(AddressSetupFailed.class)
        .hasMessageContaining("sudo ip addr del 10.0.0.8/32 dev eth0");
    assertThat(kernel.addresses("eth0")).containsExactly("10.0.0.1", "10.0.0.8");
  }

  @Test
  void whatIsLeftWhenTheProcessEndsIsRemoved() {
    AliasLease lease = registry.add(aliases("eth0", "10.0.0.7", "10.0.0.8"));
    kernel.refuse("10.0.0.8", "RTNETLINK answers: Operation not permitted");
    registry.releaseAll();
    assertThat(kernel.addresses("eth0")).containsExactly("10.0.0.1", "10.0.0.8");
    assertThat(lease.added()).hasSize(2);
  }

  private AddressSetupFailed failureOf(List<Alias> aliases) {
    return catchThrowableOfType(AddressSetupFailed.class, () -> registry.add(aliases));
  }

  private static List<Alias> aliases(String interfaceName, String... addresses) {
    return List.of(addresses).stream()
        .map(address -> Alias.of(interfaceName, InetAddress.ofLiteral(address)))
        .toList();
  }
}
