package io.maestro.collective;

import io.maestro.Maestro;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import reactor.core.scheduler.Scheduler;

/** Where ranks live, and the way to wait there. */
interface RankNetwork {

  Maestro maestro(int rank);

  InetSocketAddress address(int rank);

  Scheduler scheduler();

  /** Lets work go on until the condition holds; fails after the time has passed. */
  void until(BooleanSupplier condition, Duration limit);
}
