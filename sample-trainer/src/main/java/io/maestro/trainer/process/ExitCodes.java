package io.maestro.trainer.process;

/** Exit codes of processes in words. */
public final class ExitCodes {

  /** The run was done. */
  public static final int DONE = 0;

  /** The run failed. */
  public static final int FAILED = 1;

  /** The command line was wrong. */
  public static final int USAGE = 2;

  /** What shells and the JVM add to a signal's number. */
  private static final int SIGNAL_BASE = 128;

  private static final int SIGINT = 2;
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;

  private ExitCodes() {}

  /** Says how a process ended. */
  public static String inWords(int code) {
    return switch (code - SIGNAL_BASE) {
      case SIGINT -> "was interrupted (exit code " + code + ")";
      case SIGKILL -> "was killed (exit code " + code + ", signal 9)";
      case SIGTERM -> "was terminated (exit code " + code + ", signal 15)";
      default -> "ended with exit code " + code;
    };
  }
}
