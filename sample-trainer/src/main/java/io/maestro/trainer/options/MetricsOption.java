package io.maestro.trainer.options;

import java.net.InetSocketAddress;

/**
 * Where a process serves its figures to Prometheus; a local run's processes use this port and the
 * next ones: servers first, then workers.
 *
 * @param host where it listens
 * @param port 0 for no figures
 */
public record MetricsOption(String host, int port) {

  /** No figures. */
  static final MetricsOption OFF = new MetricsOption("", 0);

  /** Whether figures are served. */
  public boolean isOn() {
    return port != 0;
  }

  /** Where this process serves them. */
  public InetSocketAddress address() {
    return new InetSocketAddress(host, port);
  }

  /** That of a process of a local run, by its place among all. */
  public MetricsOption ofProcess(int index) {
    return new MetricsOption(host, port + index);
  }

  /** As on the command line. */
  public String text() {
    return isOn() ? host + ":" + port : "off";
  }
}
