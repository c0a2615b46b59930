package io.maestro.session;

import static java.nio.channels.FileChannel.MapMode.READ_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.testing.Prerequisite;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** What no int can count. */
@Tag("system")
class LargeMessageIT {
  private static final long BYTES = (5L << 30) - 12_345;
  private static final long STEP = 50_021;

  /** The message in a file's pages and in native memory, and some room for the rest. */
  private static final long NEEDED_KIB = 12L << 20;

  @TempDir Path folder;

  @BeforeEach
  void require() {
    Prerequisite.requireAll(
        Prerequisite.linux(),
        Prerequisite.of(
            "12 GiB of free memory", "run on a larger machine", LargeMessageIT::memoryIsFree));
  }

  private static boolean memoryIsFree() {
    try {
      return Files.readAllLines(Path.of("/proc/meminfo")).stream()
          .filter(line -> line.startsWith("MemAvailable:"))
          .anyMatch(line -> Long.parseLong(line.replaceAll("\\D", "")) >= NEEDED_KIB);
    } catch (IOException unreadable) {
      return false;
    }
  }

  @Test
  void aMappedFileOfFiveGibArrivesAsOneMessage() throws IOException {
    try (LoopbackRig rig = new LoopbackRig();
        Arena arena = Arena.ofShared();
        FileChannel file = open()) {
      MemorySegment mapped = file.map(READ_WRITE, 0, BYTES, arena);
      mark(mapped);
      Pair pair = new Pair(rig, b -> b.paths(4).memoryBudgetBytes(BYTES));
      Mono<Message> received = pair.server.receive().next().cache();
      received.subscribe();
      rig.all(pair.client.send(Region.wrap(mapped)), Duration.ofMinutes(2));
      try (Message message = Objects.requireNonNull(received.block(Duration.ofMinutes(1)))) {
        assertThat(message.size()).isEqualTo(BYTES);
        assertThat(message.data().mismatch(mapped)).isEqualTo(-1);
      }
      pair.assertNothingLeased();
    }
  }

  @Test
  void aReceiverWithoutMemoryRefusesTheMessageAndGoesOn() throws IOException {
    long bytes = 1L << 38;
    try (LoopbackRig rig = new LoopbackRig();
        Arena arena = Arena.ofShared();
        FileChannel file = open();
        Region small = Region.allocate(100_000)) {
      MemorySegment mapped = file.map(READ_WRITE, 0, bytes, arena);
      Pair pair = new Pair(rig, b -> b.paths(4).memoryBudgetBytes(2 * bytes));
      pair.server.receive().subscribe(Message::close);
      assertThatThrownBy(
              () -> rig.all(pair.client.send(Region.wrap(mapped)), Duration.ofSeconds(30)))
          .isInstanceOfSatisfying(
              MaestroException.Rejected.class,
              refused -> assertThat(refused).hasMessageContaining("MaxDirectMemorySize"));
      rig.one(pair.client.send(small));
      pair.assertNothingLeased();
    }
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(
        folder.resolve("message"),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.SPARSE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Every chunk-sized piece gets a value of its own; the rest of the file stays a hole. */
  private static void mark(MemorySegment mapped) {
    for (long at = 0; at + Long.BYTES <= BYTES; at += STEP) {
      mapped.set(ValueLayout.JAVA_LONG_UNALIGNED, at, at + 1);
    }
  }
}
