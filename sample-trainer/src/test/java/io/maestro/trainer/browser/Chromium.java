package io.maestro.trainer.browser;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium of its own, with nothing remembered from before. */
public final class Chromium implements AutoCloseable {

  /** Its command on Debian. */
  public static final String COMMAND = "chromium";

  private static final Pattern LISTENING = Pattern.compile("DevTools listening on (ws://\\S+)");
  private static final int PATIENCE_SECONDS = 30;

  private final Process process;
  private final DevTools tools;

  private Chromium(Process process, DevTools tools) {
    this.process = process;
    this.tools = tools;
  }

  /**
   * Starts one.
   *
   * @param profile an empty folder for what it keeps
   */
  public static Chromium start(Path profile) throws Exception {
    List<String> command =
        List.of(
            COMMAND,
            "--headless",
            // The tests of this project run as root, for which there is no sandbox.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--hide-scrollbars",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "about:blank");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var address = new CompletableFuture<URI>();
    Thread.ofPlatform().daemon().name("chromium-output").start(() -> read(process, address));
    try {
      return new Chromium(
          process, DevTools.connect(address.get(PATIENCE_SECONDS, TimeUnit.SECONDS)));
    } catch (Exception e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static void read(Process process, CompletableFuture<URI> address) {
    var said = new StringBuilder();
    try (BufferedReader reader = process.inputReader()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        said.append(line).append('\n');
        Matcher matcher = LISTENING.matcher(line);
        if (matcher.find()) {
          address.complete(URI.create(matcher.group(1)));
        }
      }
    } catch (IOException e) {
      said.append(e);
    }
    address.completeExceptionally(new IllegalStateException("chromium says: " + said));
  }

  /** A new tab of the given look. */
  public Tab open(Look look) {
    return Tab.open(tools, look);
  }

  /** Returns when all its processes are gone, which write into its folder until then. */
  @Override
  public void close() {
    try {
      tools.call("", "Browser.close", Map.of());
      process.onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      // What does not end when it is asked to is ended below.
    }
    tools.close();
    List<ProcessHandle> parts =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    parts.forEach(ProcessHandle::destroyForcibly);
    parts.forEach(part -> part.onExit().join());
  }
}
