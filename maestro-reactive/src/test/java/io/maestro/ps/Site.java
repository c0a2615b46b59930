package io.maestro.ps;

import io.maestro.Maestro;
import io.maestro.verbs.NanoClock;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import reactor.core.scheduler.Scheduler;

/** Hosts with Maestro on one provider, and the way to wait on it. */
interface Site extends AutoCloseable {

  /** The most hosts that there are. */
  int HOSTS = 10;

  /** A new Maestro instance of a host; the caller closes it. */
  Maestro maestro(int host);

  /** Where a server on this host binds, one address for each of its virtual NICs, port 0. */
  List<InetSocketAddress> addresses(int host);

  Scheduler scheduler();

  NanoClock clock();

  /** Lets work go on until the condition holds; fails after the time has passed. */
  void until(BooleanSupplier condition, Duration limit);

  /** Lets work go on for this long. */
  void pass(Duration duration);

  @Override
  void close();
}
