package io.maestro.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.net.VirtualNic.Kind;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VirtualNicsTest {
  private static final InterfaceState LO = state("lo", 1, Kind.LOOPBACK, true, "127.0.0.1", "::1");
  private static final InterfaceState ETH0 =
      state("eth0", 2, Kind.ORDINARY, true, "fd00::2", "10.0.0.10", "fe80::1", "10.0.0.9");
  private static final InterfaceState ETH1 = state("eth1", 3, Kind.ORDINARY, false, "10.0.1.1");
  private static final InterfaceState TUN = state("tun0", 4, Kind.POINT_TO_POINT, true, "10.9.0.1");
  private static final InterfaceState ETH2 =
      state("eth2", 5, Kind.ORDINARY, true, "10.0.2.1", "169.254.3.4");
  private static final List<InterfaceState> ALL = List.of(ETH2, TUN, ETH1, ETH0, LO);

  @Test
  void whatReachesOtherHostsIsUsableInTheOrderOfInterfacesAndIpv4First() {
    assertThat(addresses(NicFilter.USABLE))
        .containsExactly("10.0.0.9", "10.0.0.10", "fd00:0:0:0:0:0:0:2", "10.0.2.1");
  }

  @Test
  void linkLocalDownPointToPointAndLoopbackAreThereWhenAskedFor() {
    assertThat(addresses(NicFilter.USABLE.includingLinkLocal()))
        .contains("fe80:0:0:0:0:0:0:1", "169.254.3.4");
    assertThat(addresses(NicFilter.USABLE.includingDown())).contains("10.0.1.1");
    assertThat(addresses(NicFilter.USABLE.including(Kind.POINT_TO_POINT))).contains("10.9.0.1");
    assertThat(addresses(NicFilter.USABLE.including(Kind.LOOPBACK)))
        .contains("127.0.0.1", "0:0:0:0:0:0:0:1");
  }

  @Test
  void aFamilyAndAnInterfaceCanBeChosen() {
    assertThat(addresses(NicFilter.USABLE.ipv4().on("eth0")))
        .containsExactly("10.0.0.9", "10.0.0.10");
    assertThat(addresses(NicFilter.USABLE.ipv6())).containsExactly("fd00:0:0:0:0:0:0:2");
  }

  @Test
  void anAddressThatIsNotReadyIsLeftOut() {
    InterfaceState checking =
        new InterfaceState(
            "eth0",
            2,
            Kind.ORDINARY,
            true,
            1500,
            List.of(new InterfaceState.Assigned(InetAddress.ofLiteral("fd00::9"), 64, false)));
    assertThat(InterfaceState.select(List.of(checking), NicFilter.USABLE)).isEmpty();
  }

  @Test
  void thisMachineHasALoopbackWithoutScopes() {
    assertThat(VirtualNics.discover(NicFilter.USABLE.including(Kind.LOOPBACK)))
        .extracting(nic -> nic.address().getHostAddress())
        .contains("127.0.0.1")
        .noneMatch(text -> text.contains("%"));
  }

  @Test
  void loopbackGivesEachPathAnAddressOfItsOwn() {
    assertThat(VirtualNics.loopback(3))
        .extracting(InetAddress::getHostAddress)
        .containsExactly("127.0.0.1", "127.0.0.2", "127.0.0.3");
    assertThat(VirtualNics.loopback(254)).doesNotHaveDuplicates();
    assertThatThrownBy(() -> VirtualNics.loopback(255))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-f", "eth0 up", "a/b", "averyverylonginterfacename", "eth0;ls"})
  void whatIsNoNameOfAnInterfaceIsRefused(String name) {
    InetAddress address = InetAddress.ofLiteral("10.0.0.1");
    assertThatThrownBy(() -> Alias.of(name, address)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "224.0.0.1", "::", "ff02::1"})
  void whatIsNoAddressOfOneHostIsRefused(String text) {
    InetAddress address = InetAddress.ofLiteral(text);
    assertThatThrownBy(() -> Alias.of("eth0", address))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> addresses(NicFilter filter) {
    return InterfaceState.select(ALL, filter).stream()
        .map(nic -> nic.address().getHostAddress())
        .toList();
  }

  private static InterfaceState state(
      String name, int index, Kind kind, boolean up, String... addresses) {
    return new InterfaceState(
        name,
        index,
        kind,
        up,
        1500,
        Stream.of(addresses)
            .map(text -> new InterfaceState.Assigned(InetAddress.ofLiteral(text), 24, true))
            .toList());
  }
}
