package io.maestro.boot.actuate;

import io.maestro.api.MaestroStatus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Looks at what this machine and these settings allow, and says what would help. */
final class Doctor {
  private static final Path SYSTEM = Path.of("/proc/sys");

  private Doctor() {}

  /**
   * What was found.
   *
   * @param verdict the worst of all
   */
  record Report(Finding.Verdict verdict, List<Finding> findings) {
    static Report of(List<Finding> findings) {
      return new Report(
          findings.stream().map(Finding::verdict).max(Enum::compareTo).orElse(Finding.Verdict.OK),
          findings);
    }
  }

  /** Reads some files of the kernel. Any thread that may wait for those. */
  static Report look(MaestroStatus maestro) {
    return look(maestro, SYSTEM);
  }

  /** With the kernel's settings elsewhere, for tests. */
  static Report look(MaestroStatus maestro, Path system) {
    List<Finding> findings = new ArrayList<>(ProviderCheck.look(maestro));
    findings.addAll(AddressCheck.look(maestro.config()));
    findings.addAll(new KernelCheck(system).look(maestro.config()));
    findings.addAll(MemoryCheck.look(maestro));
    return Report.of(List.copyOf(findings));
  }
}
