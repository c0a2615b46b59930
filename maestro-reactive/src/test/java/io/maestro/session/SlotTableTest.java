package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SlotTableTest {

  @Test
  void aValueIsFoundByItsNumberUntilItIsRemoved() {
    SlotTable<String> table = new SlotTable<>(2);
    int slot = table.put("a");
    assertThat(table.get(slot)).isEqualTo("a");
    assertThat(table.remove(slot)).isEqualTo("a");
    assertThat(table.get(slot)).isNull();
    assertThat(table.remove(slot)).isNull();
    assertThat(table.used()).isZero();
  }

  @Test
  void theNumberOfARemovedSlotDoesNotFindItsSuccessor() {
    SlotTable<String> table = new SlotTable<>(1);
    int first = table.put("first");
    table.remove(first);
    int second = table.put("second");
    assertThat(second).isNotEqualTo(first);
    assertThat(table.get(first)).isNull();
    assertThat(table.remove(first)).isNull();
    assertThat(table.get(second)).isEqualTo("second");
  }

  @Test
  void anyNumberCanBeLookedUp() {
    SlotTable<String> table = new SlotTable<>(3);
    table.put("a");
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 100_000; i++) {
      int slotId = random.nextInt();
      assertThat(table.get(slotId)).isIn(null, slotId == 1 << 16 ? "a" : null);
    }
    assertThat(table.get(0)).isNull();
    assertThat(table.get(-1)).isNull();
  }

  @Test
  void aFullTableRefuses() {
    SlotTable<String> table = new SlotTable<>(1);
    table.put("a");
    assertThatThrownBy(() -> table.put("b")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new SlotTable<String>(65537))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void numbersAreNeverZeroAndLiveOnesNeverAlike() {
    long seed = new SplittableRandom().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    SlotTable<Integer> table = new SlotTable<>(3);
    Map<Integer, Integer> model = new HashMap<>();
    List<Integer> slots = new ArrayList<>();
    for (int value = 0; value < 500_000; value++) {
      if (model.size() < 3 && (model.isEmpty() || random.nextBoolean())) {
        int slot = table.put(value);
        assertThat(slot).isNotZero();
        assertThat(model.put(slot, value)).as("seed %d", seed).isNull();
        slots.add(slot);
      } else {
        Collections.swap(slots, random.nextInt(slots.size()), slots.size() - 1);
        int slot = slots.removeLast();
        assertThat(table.remove(slot)).as("seed %d", seed).isEqualTo(model.remove(slot));
      }
    }
  }

  @Test
  void aReaderNeverFindsWhatAnotherNumberStandsFor() throws Exception {
    SlotTable<AtomicLong> table = new SlotTable<>(4);
    AtomicIntegerArray published = new AtomicIntegerArray(4);
    try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Callable<Integer> reader = () -> read(table, published);
        readers.add(threads.submit(reader));
      }
      for (int i = 0; i < 200_000; i++) {
        table.remove(published.get(i % 4));
        AtomicLong value = new AtomicLong();
        int slot = table.put(value);
        value.set(slot);
        published.set(i % 4, slot);
      }
      published.set(0, -1);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    }
  }

  private static int read(SlotTable<AtomicLong> table, AtomicIntegerArray published) {
    int lookUps = 0;
    for (int i = 0; published.get(0) != -1; i = (i + 1) % 4) {
      int slot = published.get(i);
      AtomicLong value = table.get(slot);
      if (value != null && value.get() != slot) {
        throw new AssertionError("slot %x found %x".formatted(slot, value.get()));
      }
      lookUps++;
    }
    return lookUps;
  }
}
