package io.maestro.trainer.process;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A program for the tests of processes: does what its first argument says. */
final class TrivialChild {

  private TrivialChild() {}

  public static void main(String[] args) throws InterruptedException {
    var parent = new ParentWatch(System.in);
    String secret = parent.secret();
    switch (args[0]) {
      case "leave" -> Runtime.getRuntime().exit(Integer.parseInt(args[1]));
      case "tell" -> System.out.println("heard " + secret);
      case "hang" -> Runtime.getRuntime().addShutdownHook(new Thread(TrivialChild::waitForever));
      case "spawn" -> spawn();
      default -> throw new IllegalArgumentException(args[0]);
    }
    if (!args[0].equals("hang")) {
      parent.onEnd(() -> Runtime.getRuntime().halt(ExitCodes.FAILED));
    }
    System.out.println("ready");
    waitForever();
  }

  private static void spawn() {
    // Kept open to the end of this process, which is what ends the grandchild.
    @SuppressWarnings("resource")
    var group = new ProcessGroup();
    ChildProcess grandchild =
        group.start("grandchild", command("tell"), "secret", new RecordedChildren());
    System.out.println("grandchild " + grandchild.pid());
  }

  static List<String> command(String... arguments) {
    return JavaCommand.of(TrivialChild.class, List.of("-Xmx64m"), List.of(arguments));
  }

  private static void waitForever() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
