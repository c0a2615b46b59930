package io.maestro.net;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs it as a process. */
final class ProcessIpCommand implements IpCommand {
  /** It talks to the kernel only; more means that something is badly wrong. */
  private static final long LIMIT_SECONDS = 10;

  /** The path of an ordinary user often lacks them. */
  private static final String USUAL_FOLDERS = "/usr/sbin:/sbin:/usr/bin:/bin";

  @Override
  public Outcome run(List<String> command) {
    Optional<Path> program = find(command.getFirst());
    if (program.isEmpty()) {
      return new Missing("there is no command '" + command.getFirst() + "': install iproute2");
    }
    List<String> resolved = new ArrayList<>(command);
    resolved.set(0, program.get().toString());
    try {
      return run(new ProcessBuilder(resolved).redirectErrorStream(true));
    } catch (IOException e) {
      return new Missing(String.valueOf(e.getMessage()));
    }
  }

  private static Outcome run(ProcessBuilder builder) throws IOException {
    // Its messages are looked at.
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return new Refused("it did not end within " + LIMIT_SECONDS + " s");
      }
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.exitValue() == 0 ? new Done() : new Refused(output.strip());
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return new Refused("interrupted");
    }
  }

  private static Optional<Path> find(String name) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Stream.of((path + File.pathSeparator + USUAL_FOLDERS).split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
