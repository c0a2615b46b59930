package io.maestro.verbs.ffi.rdma;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class RdmaLibrariesTest {

  @Test
  @EnabledOnOs(OS.LINUX)
  void aMissingLibraryIsNamedWithItsCureAndCause() {
    Path missing = Path.of("/nowhere/libibverbs.so.1");
    // The second call tells the same as the first.
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> RdmaLibraries.load(missing, missing))
          .isInstanceOf(RdmaUnavailableException.class)
          .hasMessageContaining("/nowhere/libibverbs.so.1")
          .hasMessageContaining("install rdma-core")
          .hasCauseInstanceOf(IllegalArgumentException.class);
    }
  }
}
