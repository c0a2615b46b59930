package io.maestro.verbs.ffi.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every layout and constant, against what the C compiler makes of the headers. */
class LayoutsIT {
  private static final String HEADERS =
      """
      #include <stddef.h>
      #include <stdio.h>
      #include <infiniband/verbs.h>
      #include <rdma/rdma_cma.h>
      """;

  @TempDir Path folder;

  @Test
  void everyMemberAndConstantIsWhereTheCCompilerPutsIt() throws Exception {
    CProgram.requireHeaders();
    Map<String, Long> ours = new TreeMap<>();
    structs().forEach(struct -> describe(struct, ours));
    CConstants.all().forEach(constant -> ours.put(constant.symbol(), (long) constant.value()));

    assertThat(ours).hasSizeGreaterThan(400);
    assertThat(compiled(List.copyOf(ours.keySet()))).isEqualTo(ours);
  }

  @Test
  void theSystemsLibrariesHaveEveryFunctionThatIsCalled() {
    CProgram.requireHeaders();
    assertThatCode(RdmaLibraries::load).doesNotThrowAnyException();
  }

  private static Stream<CStruct> structs() {
    return Stream.of(DeviceStructs.all(), QueuePairStructs.all(), ConnectionStructs.all())
        .flatMap(List::stream);
  }

  private static void describe(CStruct struct, Map<String, Long> into) {
    String type = "struct " + struct.name();
    if (struct.complete()) {
      into.put("sizeof(" + type + ")", struct.size());
    }
    paths(struct.layout())
        .forEach(
            path -> {
              into.put("offsetof(%s, %s)".formatted(type, path), struct.offset(path));
              into.put("sizeof(((%s *) 0)->%s)".formatted(type, path), struct.size(path));
            });
  }

  private static Stream<String> paths(GroupLayout group) {
    return group.memberLayouts().stream()
        .filter(member -> member.name().isPresent())
        .flatMap(LayoutsIT::paths);
  }

  private static Stream<String> paths(MemoryLayout member) {
    String name = member.name().orElseThrow();
    // The sizes of unions are those of their structures, which are not all known here.
    return member instanceof GroupLayout nested
        ? paths(nested).map(path -> name + "." + path)
        : Stream.of(name);
  }

  private Map<String, Long> compiled(List<String> expressions)
      throws IOException, InterruptedException {
    StringBuilder source = new StringBuilder(HEADERS).append("int main(void) {\n");
    expressions.forEach(
        each -> source.append("  printf(\"%lld\\n\", (long long) (").append(each).append("));\n"));
    source.append("  return 0;\n}\n");
    Path file = Files.writeString(folder.resolve("layouts.c"), source);
    Path program = folder.resolve("layouts");
    CProgram.compile(file, program);
    List<String> lines = CProgram.run(List.of(program.toString()));
    Map<String, Long> values = new TreeMap<>();
    for (int i = 0; i < expressions.size(); i++) {
      values.put(expressions.get(i), Long.valueOf(lines.get(i)));
    }
    return values;
  }
}
