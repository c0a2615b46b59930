package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.path.EcmpHash.Linux.Policy;
import io.maestro.path.EcmpHash.Selection;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EcmpHashTest {
  private static final int[] FOUR = {1, 1, 1, 1};

  private static FiveTuple tuple(String from, int sourcePort, String to, int port, int protocol) {
    return new FiveTuple(
        InetAddress.ofLiteral(from), sourcePort, InetAddress.ofLiteral(to), port, protocol);
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void theChecksumsGiveTheCheckValuesOfTheirStandards() {
    assertThat(Crc.crc32(ascii("123456789"), 0)).isEqualTo(0xCBF43926L);
    assertThat(Crc.crc16Ccitt(ascii("123456789"), 0)).isEqualTo(0x29B1);
  }

  @Test
  void sipHashGivesTheVectorOfItsPaper() {
    byte[] message = new byte[15];
    IntStream.range(0, 15).forEach(i -> message[i] = (byte) i);
    assertThat(SipHash.hash(message, 0x0706050403020100L, 0x0f0e0d0c0b0a0908L))
        .isEqualTo(0xa129ca6149be45e5L);
  }

  @Test
  void crc32WithoutASeedIsTheJdksOverTheFieldsInHeaderOrder() {
    CRC32 expected = new CRC32();
    expected.update(new byte[] {10, 0, 0, 1, 10, 0, 0, 2, 17, (byte) 0xC0, 1, 0x12, (byte) 0xB7});
    FiveTuple tuple = tuple("10.0.0.1", 0xC001, "10.0.0.2", 4791, FiveTuple.UDP);
    assertThat(new EcmpHash.Crc32(0, Selection.MODULO).hash(tuple)).isEqualTo(expected.getValue());
  }

  @Test
  void theXorFoldIsTheExclusiveOrOfAllBytes() {
    FiveTuple tuple = tuple("10.0.0.1", 0xC001, "10.0.0.2", 4791, FiveTuple.UDP);
    int expected = 0x76; // of 0A000001 0A000002 11 C001 12B7
    assertThat(new EcmpHash.XorFold(0, Selection.MODULO).hash(tuple)).isEqualTo(expected);
    assertThat(new EcmpHash.XorFold(0xFF, Selection.MODULO).hash(tuple)).isEqualTo(~expected & 255);
  }

  /** Which of four next hops sixteen flows took through Linux 6.18, seen by TTL-limited probes. */
  @ParameterizedTest
  @CsvSource({
    "FIVE_TUPLE, 1, 10.1.1.1, 10.2.2.1, 7000, 6, 3443321442342413",
    "FIVE_TUPLE, 1, 10.1.1.3, 10.2.2.2, 4791, 17, 3423342422224223",
    "FIVE_TUPLE, 1, 10.2.2.4, 10.1.1.1, 7000, 6, 1233113433134441",
    "FIVE_TUPLE, 3735928559, 10.1.1.1, 10.2.2.1, 7000, 6, 2322312323411243",
    "FIVE_TUPLE, 1, fd00:1::1, fd00:2::1, 7000, 6, 2313444324342232",
    "FIVE_TUPLE, 1, fd00:2::3, fd00:1::2, 7000, 6, 2323131122322423",
    "L4, 1, 10.1.1.1, 10.2.2.1, 7000, 6, 2341212223233141",
  })
  void linuxSendsAFlowWhereTheKernelDoes(ArgumentsAccessor row) {
    EcmpHash hash =
        new EcmpHash.Linux(Policy.valueOf(row.getString(0)), (int) (long) row.getLong(1));
    StringBuilder predicted = new StringBuilder();
    for (int sourcePort = 61000; sourcePort < 61016; sourcePort++) {
      FiveTuple tuple =
          tuple(
              row.getString(2), sourcePort, row.getString(3), row.getInteger(4), row.getInteger(5));
      predicted.append(1 + hash.choose(tuple, FOUR));
    }
    assertThat(predicted).hasToString(row.getString(6));
  }

  /** Likewise for the policies without ports, from 10.1.1.1 to .4 to 10.2.2.1 to .4. */
  @ParameterizedTest
  @CsvSource({"L3, 2342232342321244", "ADDRESSES_AND_PROTOCOL, 2131234441134432"})
  void linuxHashesAddressesAlone(Policy policy, String seen) {
    EcmpHash hash = new EcmpHash.Linux(policy, 1);
    StringBuilder predicted = new StringBuilder();
    for (int i = 0; i < 16; i++) {
      FiveTuple tuple = tuple("10.1.1." + (1 + i / 4), 61000, "10.2.2." + (1 + i % 4), 7000, 6);
      predicted.append(1 + hash.choose(tuple, FOUR));
    }
    assertThat(predicted).hasToString(seen);
  }

  @Test
  void linuxHonoursWeightsAsTheKernelDoes() {
    EcmpHash hash = new EcmpHash.Linux(Policy.FIVE_TUPLE, 1);
    StringBuilder predicted = new StringBuilder();
    for (int port = 61000; port < 61016; port++) {
      FiveTuple tuple = tuple("10.1.1.1", port, "10.2.2.1", 7000, 6);
      predicted.append(1 + hash.choose(tuple, new int[] {1, 5, 2}));
    }
    assertThat(predicted).hasToString("2332221332232312");
  }

  @Test
  void linuxWithARandomSeedIsRefused() {
    assertThatThrownBy(() -> new EcmpHash.Linux(Policy.L4, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fib_multipath_hash_seed");
  }

  @ParameterizedTest
  @EnumSource(Selection.class)
  void everyModelSpreadsFlowsByWeightWithinTheRange(Selection selection) {
    long seed = 7;
    Random random = new Random(seed);
    EcmpHash[] models = {
      new EcmpHash.Crc32(5, selection),
      new EcmpHash.Crc16Ccitt(5, selection),
      new EcmpHash.XorFold(5, selection),
      new EcmpHash.Linux(Policy.FIVE_TUPLE, 5)
    };
    for (EcmpHash model : models) {
      int[] counts = new int[3];
      for (int i = 0; i < 4000; i++) {
        FiveTuple tuple =
            tuple(
                "10.0.0." + random.nextInt(256),
                random.nextInt(65536),
                "10.9.0." + random.nextInt(256),
                4791,
                FiveTuple.UDP);
        assertThat(model.hash(tuple)).isBetween(0L, model.hashRange() - 1);
        counts[model.choose(tuple, new int[] {1, 2, 1})]++;
      }
      assertThat(counts[0]).as("%s seed %d", model, seed).isBetween(850, 1150);
      assertThat(counts[1]).as("%s seed %d", model, seed).isBetween(1800, 2200);
    }
  }

  /** Seen in captures of Soft-RoCE on Linux 6.1, QPs connected by rdma_cm to port 7471. */
  @ParameterizedTest
  @CsvSource({"20002, 54123", "20003, 54090", "20004, 54189", "20005, 54156"})
  void theCmPortChoosesTheUdpPortOfRoce(int sourcePort, int seen) {
    assertThat(RocePort.ofConnection(sourcePort, 7471)).isEqualTo(seen);
  }

  /** The first was seen in a capture; the second is the kernel's arithmetic for 24-bit numbers. */
  @ParameterizedTest
  @CsvSource({"0x17, 0x17, 49681", "0xABCDEF, 0x123456, 50120", "0x123456, 0xABCDEF, 50120"})
  void otherQueuePairsHaveTheirPortFromTheirNumbers(String local, String remote, int port) {
    assertThat(RocePort.ofQueuePairs(Integer.decode(local), Integer.decode(remote)))
        .isEqualTo(port);
  }

  @Test
  void allTwentyBitsOfAFlowLabelCount() {
    assertThat(RocePort.ofFlowLabel(0)).isEqualTo(0xC000);
    assertThat(RocePort.ofFlowLabel(0xFFFFF)).isEqualTo(0xC000 | (0x3FFF ^ 0x3F));
  }
}
