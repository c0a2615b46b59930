package io.maestro.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Region;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlocksTest {

  @ParameterizedTest
  @CsvSource({"0,3", "4,3", "40,1", "44,7", "100000000,3", "16777216,1000", "4194304,4"})
  void slicesOfTheBlocksCoverTheRegionOnceInWholeElements(long bytes, int ranks) {
    Region region = Region.allocate(bytes);
    Blocks blocks = Blocks.of(region, 4, ranks);
    long next = 0;
    for (int rank = 0; rank < ranks; rank++) {
      for (int slice = 0; slice < blocks.slices(); slice++) {
        Piece piece = blocks.piece(rank, slice);
        assertThat(piece.offset()).isEqualTo(next);
        assertThat(piece.bytes() % 4).isZero();
        assertThat(piece.bytes() * ranks).isLessThanOrEqualTo(SliceWork.SLICE_BYTES);
        next += piece.bytes();
      }
    }
    assertThat(next).isEqualTo(bytes);
    region.close();
  }

  @ParameterizedTest
  @CsvSource({"0,3", "44,7", "100000000,3"})
  void blocksDifferByOneElementAtMost(long bytes, int ranks) {
    Region region = Region.allocate(bytes);
    Blocks blocks = Blocks.of(region, 4, ranks);
    for (int rank = 0; rank < ranks; rank++) {
      assertThat(blocks.block(rank).bytes())
          .isBetween(bytes / 4 / ranks * 4, bytes / 4 / ranks * 4 + 4);
    }
    region.close();
  }
}
