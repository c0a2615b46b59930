package io.maestro.net;

import java.util.List;

/** Runs the {@code ip} command of iproute2. */
interface IpCommand {

  /** Blocks until it has ended. */
  Outcome run(List<String> command);

  /** How it ended. */
  sealed interface Outcome {}

  /** It did as it was told. */
  record Done() implements Outcome {}

  /** It did not, and said this. */
  record Refused(String output) implements Outcome {}

  /** There is no such command on this machine. */
  record Missing(String reason) implements Outcome {}
}
