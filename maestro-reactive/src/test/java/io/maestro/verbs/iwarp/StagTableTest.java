package io.maestro.verbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.verbs.Access;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StagTableTest {
  private final IwarpDevice device =
      (IwarpDevice) new IwarpProvider().open(DeviceOptions.defaults());
  private final ProtectionDomain domain = device.allocateDomain();
  private final MemorySegment memory = Arena.ofAuto().allocate(64);

  @AfterEach
  void close() {
    device.close();
  }

  private MemoryRegion register() {
    return domain.register(memory, EnumSet.allOf(Access.class));
  }

  @Test
  void aKeyIsFoundUntilItsRegionIsClosed() {
    MemoryRegion region = register();
    assertThat(region.rkey()).isNotZero();
    assertThat(device.stags().find(region.rkey())).isSameAs(region);
    region.close();
    assertThat(device.stags().find(region.rkey())).isNull();
  }

  @Test
  void memoryIsBoundedByTheOpenRegions() {
    Random random = new Random(1);
    ArrayDeque<MemoryRegion> open = new ArrayDeque<>();
    for (int i = 0; i < 100_000; i++) {
      open.add(register());
      while (open.size() > random.nextInt(200)) {
        open.remove().close();
      }
    }
    open.forEach(region -> assertThat(device.stags().find(region.rkey())).isSameAs(region));
    assertThat(device.stags().capacity()).isLessThanOrEqualTo(2048);
    open.forEach(MemoryRegion::close);
  }

  @Test
  void aClosedKeyIsNeverFoundWhileOthersRegister() throws InterruptedException {
    AtomicBoolean wrong = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 0; round < 5000; round++) {
                      MemoryRegion region = register();
                      boolean found = device.stags().find(region.rkey()) == region;
                      region.close();
                      if (!found || device.stags().find(region.rkey()) != null) {
                        wrong.set(true);
                      }
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(wrong).isFalse();
  }
}
