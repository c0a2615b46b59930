package io.maestro.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.Maestro;
import io.maestro.api.MaestroConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
  @TempDir Path system;

  private List<Finding> look(UnaryOperator<MaestroConfig.Builder> settings) {
    try (Maestro maestro = Maestro.create(MaestroConfig.with(settings))) {
      return Doctor.look(maestro, system).findings();
    }
  }

  private void set(String name, String value) throws IOException {
    Path file = system.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, value + "\n");
  }

  private static Finding find(List<Finding> findings, String check) {
    return findings.stream()
        .filter(finding -> finding.check().equals(check))
        .reduce((first, last) -> last)
        .orElseThrow();
  }

  @Test
  void aKernelThatAsksForNoEcnIsWarnedOfWithTheCommand() throws IOException {
    set("net/ipv4/tcp_ecn", "2");
    Finding ecn = find(look(settings -> settings), "net.ipv4.tcp_ecn");
    assertThat(ecn.verdict()).isEqualTo(Finding.Verdict.WARNING);
    assertThat(ecn.cure()).contains("sysctl -w net.ipv4.tcp_ecn=1");
    set("net/ipv4/tcp_ecn", "1");
    assertThat(find(look(settings -> settings), "net.ipv4.tcp_ecn").verdict())
        .isEqualTo(Finding.Verdict.OK);
  }

  @Test
  void buffersThatAreSmallerThanTheWindowAreNamed() throws IOException {
    set("net/ipv4/tcp_wmem", "4096\t16384\t1048576");
    Finding small = find(look(settings -> settings), "net.ipv4.tcp_wmem");
    assertThat(small.text()).contains("1048576", "4194304");
    assertThat(small.cure()).contains("4096 16384 4194304");
  }

  @Test
  void whatCannotBeReadIsLeftOut() {
    assertThat(look(settings -> settings))
        .noneMatch(finding -> finding.check().startsWith("net.ipv4"));
  }

  @Test
  void aLocalAddressThatNoInterfaceHasIsNamed() {
    InetAddress elsewhere = InetAddress.ofLiteral("192.0.2.77");
    assertThat(look(settings -> settings.localAddresses(List.of(elsewhere))))
        .anyMatch(
            finding ->
                finding.verdict() == Finding.Verdict.WARNING
                    && finding.text().contains("192.0.2.77"));
  }

  @Test
  void anOpenDoorIsWarnedOf() {
    assertThat(find(look(settings -> settings.allowUnauthenticated(true)), "security").verdict())
        .isEqualTo(Finding.Verdict.WARNING);
    assertThat(find(look(settings -> settings.secret("s3cret")), "security"))
        .satisfies(finding -> assertThat(finding.verdict()).isEqualTo(Finding.Verdict.OK))
        .satisfies(finding -> assertThat(finding.toString()).doesNotContain("s3cret"));
  }

  @Test
  void aBudgetThatDoesNotFitBesideTheHeapIsWarnedOf() {
    assertThat(MemoryCheck.budget(6, 4, 10).verdict()).isEqualTo(Finding.Verdict.OK);
    assertThat(MemoryCheck.budget(7, 4, 10).verdict()).isEqualTo(Finding.Verdict.WARNING);
  }
}
