package io.maestro.trainer.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProcessGroupTest {

  private static final String SECRET = "swordfish";

  private final ProcessGroup group = new ProcessGroup();
  private final RecordedChildren children = new RecordedChildren();

  @AfterEach
  void close() {
    group.close();
  }

  @Test
  void aChildHearsTheSecretAndNobodyElseSeesIt() throws Exception {
    ChildProcess child = start("child", "tell");

    children.await("child: heard " + SECRET);
    assertThat(handle(child).info().commandLine().orElse("")).doesNotContain(SECRET);
  }

  @Test
  void aKilledChildIsNamedWithItsSignal() throws Exception {
    ChildProcess child = start("worker 1", "tell");
    children.await("worker 1: ready");

    handle(child).destroyForcibly();

    assertThat(children.await("worker 1 ")).isEqualTo("was killed (exit code 137, signal 9)");
  }

  @Test
  void aChildThatEndsByItselfIsNamedWithItsExitCode() throws Exception {
    start("worker 0", "leave", "7");

    assertThat(children.await("worker 0 ")).isEqualTo("ended with exit code 7");
  }

  @Test
  void closingTheGroupEndsEveryChild() throws Exception {
    ProcessHandle first = handle(start("first", "tell"));
    ProcessHandle second = handle(start("second", "tell"));
    children.await("first: ready");

    group.close();

    assertThat(first.isAlive()).isFalse();
    assertThat(second.isAlive()).isFalse();
  }

  @Test
  void aChildThatHangsAtItsEndIsEndedByForce() throws Exception {
    ProcessHandle child = handle(start("child", "hang"));
    children.await("child: ready");

    group.close();

    assertThat(child.isAlive()).isFalse();
  }

  @Test
  void theDeathOfTheParentEndsItsChildren() throws Exception {
    ChildProcess parent = start("parent", "spawn");
    ProcessHandle grandchild = grandchild();

    handle(parent).destroyForcibly();

    assertThat(grandchild.onExit().get(30, TimeUnit.SECONDS).isAlive()).isFalse();
  }

  @Test
  void aParentToldToEndEndsItsChildren() throws Exception {
    ChildProcess parent = start("parent", "spawn");
    ProcessHandle grandchild = grandchild();
    children.await("parent: ready");

    handle(parent).destroy();

    assertThat(children.await("parent ")).isEqualTo("was terminated (exit code 143, signal 15)");
    assertThat(grandchild.isAlive()).isFalse();
  }

  private ProcessHandle grandchild() throws InterruptedException {
    long pid = Long.parseLong(children.await("parent: grandchild "));
    return ProcessHandle.of(pid).orElseThrow();
  }

  private ChildProcess start(String name, String... arguments) {
    return group.start(name, TrivialChild.command(arguments), SECRET, children);
  }

  private static ProcessHandle handle(ChildProcess child) {
    return ProcessHandle.of(child.pid()).orElseThrow();
  }
}
