package io.maestro.boot.actuate;

import io.maestro.api.MaestroConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The settings of Linux that matter to paths over TCP; those that cannot be read are left out. */
final class KernelCheck {
  private final Path system;

  /**
   * @param system {@code /proc/sys}
   */
  KernelCheck(Path system) {
    this.system = system;
  }

  List<Finding> look(MaestroConfig config) {
    List<Finding> findings = new ArrayList<>();
    read("net.ipv4.tcp_ecn").map(KernelCheck::ecn).ifPresent(findings::add);
    read("net.ipv4.tcp_congestion_control").map(KernelCheck::congestion).ifPresent(findings::add);
    read("net.ipv4.fib_multipath_hash_policy").map(KernelCheck::hashing).ifPresent(findings::add);
    for (String name : List.of("net.ipv4.tcp_wmem", "net.ipv4.tcp_rmem")) {
      read(name).map(value -> buffers(name, value, config.windowBytes())).ifPresent(findings::add);
    }
    return findings;
  }

  private Optional<String> read(String name) {
    try {
      String text = Files.readString(system.resolve(name.replace('.', '/'))).strip();
      return text.isEmpty() ? Optional.empty() : Optional.of(text);
    } catch (IOException notLinux) {
      return Optional.empty();
    }
  }

  private static Finding ecn(String value) {
    String name = "net.ipv4.tcp_ecn";
    return value.equals("1")
        ? Finding.ok(name, "connections ask for ECN: paths see congestion marks")
        : Finding.warning(
            name,
            "is %s: connections do not ask for ECN, so no path ever sees a congestion mark"
                .formatted(value),
            "sysctl -w net.ipv4.tcp_ecn=1, on both hosts.");
  }

  private static Finding congestion(String value) {
    String name = "net.ipv4.tcp_congestion_control";
    return value.equals("bbr")
        ? Finding.info(
            name,
            "is bbr, which paces by its own model and costs more processor time on fast networks",
            "Compare with cubic, or dctcp where the switches mark.")
        : Finding.ok(name, "is " + value);
  }

  private static Finding hashing(String value) {
    String name = "net.ipv4.fib_multipath_hash_policy";
    return value.equals("0")
        ? Finding.info(
            name,
            "is 0: where this host has several routes, ports do not tell them apart",
            "sysctl -w net.ipv4.fib_multipath_hash_policy=1, or give each path an address.")
        : Finding.ok(name, "is " + value);
  }

  /** Three numbers: least, default and most bytes of a socket's buffer. */
  private static Finding buffers(String name, String value, long windowBytes) {
    String[] words = value.split("\\s+", -1);
    String most = words[words.length - 1];
    if (!most.matches("\\d{1,18}") || Long.parseLong(most) >= windowBytes) {
      return Finding.ok(name, "lets a socket have %s bytes".formatted(most));
    }
    return Finding.info(
        name,
        "lets a socket have %s bytes, less than the %d of maestro.window"
            .formatted(most, windowBytes),
        "sysctl -w %s=\"%s %s %d\", where rate times delay needs it."
            .formatted(name, words[0], words.length > 2 ? words[1] : words[0], windowBytes));
  }
}
