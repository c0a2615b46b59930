package io.maestro.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** What can be registered. */
abstract class RegionContract extends ContractGroup {
  private static final Set<Access> ALL = EnumSet.allOf(Access.class);
  private static final long THREE_GIB = 3L << 30;

  RegionContract(ContractHost host) {
    super(host);
  }

  @Test
  void theLimitsAreUsable() {
    DeviceLimits limits = fabric.client.limits();
    assertThat(limits.maxMessageBytes()).isGreaterThanOrEqualTo(1 << 20);
    assertThat(limits.maxPrivateDataBytes()).isGreaterThanOrEqualTo(56);
    assertThat(limits.maxSendDepth()).isGreaterThanOrEqualTo(ContractFixture.SEND_DEPTH);
    assertThat(limits.maxRecvDepth()).isGreaterThanOrEqualTo(ContractFixture.RECV_DEPTH);
    assertThat(limits.maxReadDepth()).isGreaterThanOrEqualTo(1);
  }

  @Test
  void aRegionIsTheMemoryThatWasRegistered() {
    MemorySegment memory = fabric.arena.allocate(4096);
    try (MemoryRegion region = fabric.clientDomain.register(memory, ALL)) {
      assertThat(region.memory()).isEqualTo(memory);
    }
  }

  @Test
  void regionsHaveDifferentKeys() {
    Set<Integer> keys = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      keys.add(fabric.clientRegion(1).rkey());
    }
    assertThat(keys).hasSize(100);
  }

  @Test
  void theSameMemoryCanBeRegisteredTwice() {
    MemorySegment memory = fabric.arena.allocate(64);
    try (MemoryRegion one = fabric.clientDomain.register(memory, ALL);
        MemoryRegion two = fabric.clientDomain.register(memory, Set.of())) {
      assertThat(one.rkey()).isNotEqualTo(two.rkey());
    }
  }

  @Test
  void aRegionIsClosedTwiceWithoutHarm() {
    MemoryRegion region = fabric.clientRegion(64);
    region.close();
    region.close();
  }

  @Test
  void heapMemoryIsRefused() {
    refused(MemorySegment.ofArray(new byte[64]));
  }

  @Test
  void emptyMemoryIsRefused() {
    refused(fabric.arena.allocate(0));
  }

  @Test
  void readOnlyMemoryIsRefused() {
    refused(fabric.arena.allocate(64).asReadOnly());
  }

  @Test
  void memoryConfinedToAThreadIsRefused() {
    try (Arena confined = Arena.ofConfined()) {
      refused(confined.allocate(64));
    }
  }

  private void refused(MemorySegment memory) {
    assertThatThrownBy(() -> fabric.clientDomain.register(memory, ALL))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotBlank();
  }

  @Test
  void bytesBeyond2GiBAreWrittenAndReadAtTheirPlace() {
    Assumptions.assumeTrue(
        host.registersSparseRegionsOver2GiB(), "the provider registers no sparse regions");
    MemoryRegion here = fabric.clientDomain.register(fabric.sparse(THREE_GIB), ALL);
    MemoryRegion there = fabric.serverDomain.register(fabric.sparse(THREE_GIB), ALL);
    long from = THREE_GIB - 1001;
    long to = THREE_GIB - 500;
    here.memory().set(ValueLayout.JAVA_BYTE, from + 499, (byte) 77);
    ContractFixture.Pair pair = fabric.connect();
    fabric.run(
        pair.client(),
        qp -> {
          assertThat(qp.postWrite(1, here, from, 500, there.remoteAddress() + to, there.rkey()))
              .isTrue();
          assertThat(qp.postRead(2, here, to - 1, 500, there.remoteAddress() + to, there.rkey()))
              .isTrue();
        });
    fabric.await("both complete", () -> pair.client().count() == 2);
    assertThat(there.memory().get(ValueLayout.JAVA_BYTE, THREE_GIB - 1)).isEqualTo((byte) 77);
    assertThat(here.memory().get(ValueLayout.JAVA_BYTE, THREE_GIB - 2)).isEqualTo((byte) 77);
  }
}
