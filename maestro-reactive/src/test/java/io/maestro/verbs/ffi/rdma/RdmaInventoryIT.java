package io.maestro.verbs.ffi.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.verbs.ffi.rdma.FakeRdma.Plan;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RdmaInventoryIT {
  private static final Object ONE_AT_A_TIME = new Object();
  private static final int ACTIVE = 4;
  private static final int MTU_1024 = 3;

  @TempDir Path folder;
  private FakeRdma fake;

  @BeforeEach
  void compile() throws Exception {
    fake =
        FakeRdma.compile(folder)
            .plan(Plan.DEVICES, 2)
            .plan(Plan.PORT_STATE, ACTIVE)
            .plan(Plan.ACTIVE_MTU, MTU_1024);
  }

  @AfterEach
  void everythingIsGivenBack() {
    assertThat(fake.openDevices()).isZero();
    assertThat(fake.openLists()).isZero();
  }

  @Test
  void devicesHavePortsWithTheirStateAndMtu() throws Exception {
    List<RdmaDevice> devices = read();
    assertThat(devices).extracting(RdmaDevice::name).containsExactly("fake_0", "fake_1");
    RdmaDevice first = devices.getFirst();
    assertThat(first.firmware()).isEqualTo("1.2.3");
    assertThat(first.ports()).extracting(RdmaPort::number).containsExactly(1, 2);
    RdmaPort port = first.ports().getFirst();
    assertThat(port.isActive()).isTrue();
    assertThat(port.linkLayer()).isEqualTo(IbvLinkLayer.ETHERNET);
    assertThat(port.activeMtu()).isEqualTo(IbvMtu.BYTES_1024);
    assertThat(IbvMtu.BYTES_1024.bytes()).isEqualTo(1024);
    assertThat(first.ports().getLast().state()).isEqualTo(IbvPortState.DOWN);
  }

  @Test
  void theGidOfAnAddressIsThatOfRoceV2InATableWithHoles() throws Exception {
    RdmaPort port = read().getFirst().ports().getFirst();
    assertThat(port.gids()).hasSize(3);
    assertThat(port.roceV2(InetAddress.ofLiteral("10.0.1.1")).orElseThrow().index()).isEqualTo(5);
    assertThat(port.roceV2(InetAddress.ofLiteral("10.0.1.6")).orElseThrow().index()).isEqualTo(6);
    assertThat(port.roceV2(InetAddress.ofLiteral("10.0.2.5"))).as("of the other port").isEmpty();
  }

  @Test
  void anMtuThatTheDeviceDoesNotSayIsUnknown() throws Exception {
    fake.plan(Plan.ACTIVE_MTU, 0);
    assertThat(read().getFirst().ports().getFirst().activeMtu()).isNull();
  }

  @Test
  void aDeviceThatMayNotBeOpenedIsListedWithTheReason() throws Exception {
    fake.plan(Plan.OPEN_ERRNO, RdmaCallException.ACCESS_DENIED);
    RdmaDevice device = read().getFirst();
    assertThat(device.name()).isEqualTo("fake_0");
    assertThat(device.ports()).isEmpty();
    assertThat(device.problem()).hasMessage("ibv_open_device failed: EACCES");
  }

  @Test
  void aKernelWithoutRdmaIsTold() {
    fake.plan(Plan.LIST_ERRNO, 38);
    assertThatThrownBy(this::read)
        .isInstanceOfSatisfying(RdmaCallException.class, e -> assertThat(e.errno()).isEqualTo(38))
        .hasMessage("ibv_get_device_list failed: ENOSYS");
  }

  @ParameterizedTest(name = "returned {0}, errno {1}")
  @CsvSource({"22,0,22", "-22,0,22", "-1,12,12", "-1,0,5", "19,12,19"})
  void everyWayToTellAFailureGivesItsErrno(int returned, int errno, int told) throws Exception {
    fake.plan(Plan.QUERY_RESULT, returned).plan(Plan.QUERY_ERRNO, errno);
    assertThat(read().getFirst().problem().errno()).isEqualTo(told);
  }

  @Test
  void theSummaryNamesDevicesAndAddresses() throws Exception {
    fake.plan(Plan.DEVICES, 1);
    assertThat(RdmaInventory.summary(read())).isEqualTo("fake_0 (10.0.1.1, 10.0.1.6, 10.0.2.5)");
    fake.plan(Plan.DEVICES, 0);
    assertThat(RdmaInventory.summary(read())).isEqualTo("no devices");
  }

  @Test
  void severalThreadsMayLoadAtOnce() {
    List<String> first =
        IntStream.range(0, 64)
            .parallel()
            .mapToObj(i -> unchecked().getFirst().name())
            .distinct()
            .toList();
    assertThat(first).containsExactly("fake_0");
  }

  private List<RdmaDevice> unchecked() {
    try {
      RdmaInventory inventory = new RdmaInventory(fake.libraries());
      // The fake counts what is open without a lock.
      synchronized (ONE_AT_A_TIME) {
        return inventory.read();
      }
    } catch (RdmaUnavailableException | RdmaCallException e) {
      throw new AssertionError(e);
    }
  }

  private List<RdmaDevice> read() throws Exception {
    return new RdmaInventory(fake.libraries()).read();
  }
}
