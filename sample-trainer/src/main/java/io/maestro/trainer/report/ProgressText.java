package io.maestro.trainer.report;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Puts intervals and results into words for a terminal. */
public final class ProgressText {

  private final ShareBar bar;

  /** Lines that the character set can show. */
  public ProgressText(Charset charset) {
    bar = new ShareBar(charset);
  }

  /** One line for an epoch or a step. */
  public String line(Interval interval) {
    var words = new ArrayList<String>();
    String unit = interval.unit().name().toLowerCase(Locale.ROOT);
    words.add("%s %d/%d".formatted(unit, interval.number(), interval.of()));
    Double loss = interval.loss();
    if (loss != null) {
      words.add(String.format(Locale.ROOT, "loss %.4f", loss));
    }
    Double accuracy = interval.accuracy();
    if (accuracy != null) {
      words.add(String.format(Locale.ROOT, "accuracy %.2f %%", accuracy * 100));
    }
    words.addAll(sync(interval.sync()));
    words.add(String.format(Locale.ROOT, "%.1f s", interval.seconds()));
    return String.join("  ", words);
  }

  private List<String> sync(SyncFigures sync) {
    if (sync.workers() == 0) {
      return List.of();
    }
    Latencies latencies = sync.latencies();
    String times =
        latencies.count() <= sync.workers()
            ? String.format(Locale.ROOT, "sync %.1f ms", latencies.ms(100))
            : String.format(
                Locale.ROOT, "sync %.1f ms (p99 %.1f)", latencies.ms(50), latencies.ms(99));
    return List.of(
        times,
        String.format(Locale.ROOT, "%.0f MB/s", sync.megabytesPerSecond()),
        "paths " + bar.line(sync.pathShares()));
  }

  /** What came out of the run, in one line. */
  public static String outcome(RunReport report) {
    Double accuracy = report.accuracy();
    String what =
        accuracy == null
            ? report.model() + " synchronised"
            : String.format(Locale.ROOT, "test accuracy %.2f %%", accuracy * 100);
    return String.format(
        Locale.ROOT, "%s after %d steps in %.1f s", what, report.steps(), report.wallSeconds());
  }

  /** The lines after the run. */
  public List<String> summary(RunReport report) {
    var lines = new ArrayList<String>();
    lines.add("");
    lines.add(outcome(report));
    if (report.bytesMoved() > 0) {
      lines.add(
          String.format(
              Locale.ROOT,
              "moved %.1f MB over %d path(s), %d chunks lost; sync p50 %.1f ms, p99 %.1f ms",
              report.bytesMoved() / 1e6,
              report.pathShares().size(),
              report.lostChunks(),
              report.syncMsP50(),
              report.syncMsP99()));
      lines.add("paths " + bar.line(report.pathShares()));
    }
    if (!report.lostWorkers().isEmpty()) {
      lines.add("lost on the way: " + String.join(", ", report.lostWorkers()));
    }
    return lines;
  }
}
