package io.maestro.trainer.grafana;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Has this host ask for ECN on the TCP connections that it opens meanwhile: by default Linux does
 * not, and then nobody can know congestion marks. Needs root; the former setting returns at the
 * end.
 */
public final class EcnAsked implements AutoCloseable {
  private static final Path SETTING = Path.of("/proc/sys/net/ipv4/tcp_ecn");

  private final String before = read();

  /** Changes the setting. */
  public EcnAsked() {
    write("1");
  }

  private static String read() {
    try {
      return Files.readString(SETTING).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(String value) {
    try {
      Files.writeString(SETTING, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    write(before);
  }
}
