package io.maestro.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.testing.fabric.Fabric;
import io.maestro.testing.fabric.NodeProcess;
import io.maestro.testing.fabric.WithFabric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Aliases on a real kernel, in a network namespace of their own. */
@WithFabric(spines = 1, aliases = 1, commands = "setpriv")
class VirtualNicsIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String BEFORE = "eth0=10.1.1.1 eth0=fd00:1:1:0:0:0:0:1";
  private static final String WITH_TWO =
      "eth0=10.1.1.1 eth0=10.1.1.77 eth0=fd00:1:1:0:0:0:0:1 eth0=fd00:1:1:0:0:0:0:77";

  private final Fabric fabric;

  VirtualNicsIT(Fabric fabric) {
    this.fabric = fabric;
  }

  @Test
  void aliasesOfBothFamiliesCanBeBoundToAtOnceAndAreRemovedOnClose() throws Exception {
    assertThat(run("eth0", "close", "10.1.1.77", "fd00:1:1::77"))
        .containsExactly("before: " + BEFORE, "added 2: " + WITH_TWO, "closed: " + BEFORE);
    assertThat(kernelsAddresses()).doesNotContain("77/");
  }

  @Test
  void aliasesThatAreLeftAreRemovedWhenTheJvmEnds() throws Exception {
    assertThat(run("eth0", "leave", "10.1.1.77", "fd00:1:1::77"))
        .containsExactly("before: " + BEFORE, "added 2: " + WITH_TWO);
    assertThat(kernelsAddresses()).doesNotContain("77/").contains("10.1.1.1/24");
  }

  @Test
  void aliasesThatWereThereStay() throws Exception {
    // The label makes the JDK list it twice.
    fabric.exec("host1", "ip", "addr", "add", "10.1.1.77/24", "dev", "eth0", "label", "eth0:old");
    try {
      assertThat(run("eth0", "close", "10.1.1.77").get(1))
          .isEqualTo("added 0: eth0=10.1.1.1 eth0=10.1.1.77 eth0=fd00:1:1:0:0:0:0:1");
      assertThat(kernelsAddresses()).contains("10.1.1.77/24");
    } finally {
      fabric.exec("host1", "ip", "addr", "del", "10.1.1.77/24", "dev", "eth0");
    }
  }

  @Test
  void withoutThePrivilegeTheErrorHasTheCommandThatSomebodyElseCanRun() throws Exception {
    try (NodeProcess process = fabric.start("host1", unprivileged("eth0", "close", "10.1.1.77"))) {
      String line = process.awaitSuccess(LIMIT).getLast();
      assertThat(line).isEqualTo("NOT_PRIVILEGED: sudo ip addr add 10.1.1.77/32 dev eth0");
      String command = line.replaceFirst(".*sudo ", "");
      fabric.exec("host1", command.split(" ", -1));
      assertThat(kernelsAddresses()).contains("10.1.1.77/32");
      fabric.exec("host1", command.replace("add 10", "del 10").split(" ", -1));
    }
  }

  @Test
  void anInterfaceThatIsNotThereIsAnErrorOfItsOwn() throws Exception {
    assertThat(run("eth9", "close", "10.1.1.77").getLast()).startsWith("NO_INTERFACE: ");
  }

  private List<String> run(Object... arguments) throws InterruptedException {
    try (NodeProcess process = fabric.startJava("host1", AliasUser.class, arguments)) {
      return process.awaitSuccess(LIMIT).stream().filter(line -> !line.contains("INFO")).toList();
    }
  }

  /** Root without CAP_NET_ADMIN, which cannot come back either. */
  private static String[] unprivileged(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of("setpriv", "--bounding-set", "-net_admin", "--inh-caps", "-net_admin"));
    command.addAll(Fabric.javaCommand(AliasUser.class, (Object[]) arguments));
    return command.toArray(String[]::new);
  }

  private String kernelsAddresses() throws InterruptedException {
    return String.join("\n", fabric.exec("host1", "ip", "addr", "show", "dev", "eth0"));
  }
}
