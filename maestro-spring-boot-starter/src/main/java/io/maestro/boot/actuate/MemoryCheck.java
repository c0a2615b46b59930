package io.maestro.boot.actuate;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.maestro.api.MaestroStatus;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** Whether memory and open files suffice. */
final class MemoryCheck {
  private static final long ENOUGH_FILES = 4096;

  private MemoryCheck() {}

  static List<Finding> look(MaestroStatus maestro) {
    List<Finding> findings = new ArrayList<>();
    findings.add(leased(maestro));
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine) {
      findings.add(
          budget(
              maestro.config().memoryBudgetBytes(),
              Runtime.getRuntime().maxMemory(),
              machine.getTotalMemorySize()));
      if (machine instanceof UnixOperatingSystemMXBean unix) {
        findings.add(files(unix.getMaxFileDescriptorCount()));
      }
    }
    return findings;
  }

  private static Finding leased(MaestroStatus maestro) {
    return Finding.ok("received messages", "hold %d bytes now".formatted(maestro.leasedBytes()));
  }

  /** Of the machine, or of the container. */
  static Finding budget(long budgetBytes, long heapBytes, long machineBytes) {
    String text =
        "received messages may hold %d bytes and the heap %d, of %d"
            .formatted(budgetBytes, heapBytes, machineBytes);
    return budgetBytes > machineBytes - heapBytes
        ? Finding.warning(
            "memory", text, "Lower maestro.memory-budget or -Xmx, so that both fit together.")
        : Finding.ok("memory", text);
  }

  private static Finding files(long most) {
    String text = "this process may have %d open; each path takes one".formatted(most);
    return most < ENOUGH_FILES
        ? Finding.info("files", text, "ulimit -n %d".formatted(ENOUGH_FILES))
        : Finding.ok("files", text);
  }
}
