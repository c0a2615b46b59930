package io.maestro.trainer;

import io.maestro.trainer.metrics.MetricsServer;
import io.maestro.trainer.options.Role;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.page.LivePage;
import io.maestro.trainer.process.ExitCodes;
import io.maestro.trainer.report.Both;
import io.maestro.trainer.report.EventLines;
import io.maestro.trainer.report.ProgressText;
import io.maestro.trainer.report.ReportFile;
import io.maestro.trainer.report.RunListener;
import io.maestro.trainer.report.RunRecord;
import io.maestro.trainer.report.RunReport;
import io.maestro.trainer.report.Terminal;
import io.maestro.trainer.role.Context;
import io.maestro.trainer.role.ControllerRole;
import io.maestro.trainer.role.LocalRole;
import io.maestro.trainer.role.RunFailedException;
import io.maestro.trainer.role.ServerRole;
import io.maestro.trainer.role.SingleRole;
import io.maestro.trainer.role.Spectator;
import io.maestro.trainer.role.WorkerRole;
import io.maestro.trainer.sync.SyncException;
import io.maestro.trainer.sync.Transport;
import io.maestro.verbs.SystemClock;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Runs this process's role and reports on it. */
@Component
final class TrainerRun {

  /** Environment variable with what all processes of a run on several hosts must know. */
  private static final String SECRET = "MAESTRO_SECRET";

  private static final int SECRET_BYTES = 32;

  private final TrainerOptions options;
  private final Transport transport;
  private final JsonMapper mapper;
  private final @Nullable MetricsServer metrics;
  private final @Nullable Supervision supervision;
  private final Terminal terminal = new Terminal(System.out);
  private boolean isEnding;

  @Autowired
  TrainerRun(
      TrainerOptions options,
      Transport transport,
      JsonMapper mapper,
      ObjectProvider<MetricsServer> metrics) {
    this(options, transport, mapper, metrics.getIfAvailable(), null);
  }

  TrainerRun(
      TrainerOptions options,
      Transport transport,
      JsonMapper mapper,
      @Nullable MetricsServer metrics,
      @Nullable Supervision supervision) {
    this.metrics = metrics;
    this.supervision = supervision;
    this.options = options;
    this.transport = transport;
    this.mapper = mapper;
  }

  /**
   * Blocks until the role is done.
   *
   * @param startNs when the program started
   * @return the exit code
   */
  int run(long startNs) {
    try (LivePage page = page()) {
      int code = run(startNs, page);
      if (page != null && options.page().stays() && !isEnding) {
        terminal.note("the page stays until Ctrl-C: " + page.url());
        page.stay();
      }
      return code;
    }
  }

  private @Nullable LivePage page() {
    if (supervision != null || options.role() != Role.LOCAL || !options.page().isOn()) {
      return null;
    }
    Optional<LivePage> page = LivePage.start(options, SystemClock.INSTANCE, mapper);
    terminal.note(page.map(p -> "live page: " + p.url()).orElse("no live page: no port is free"));
    return page.orElse(null);
  }

  private int run(long startNs, @Nullable LivePage page) {
    try {
      run(context(startNs, page), page);
      return ExitCodes.DONE;
    } catch (SyncException | RunFailedException | IllegalStateException | UncheckedIOException e) {
      System.err.println("error: " + e.getMessage());
      isEnding = e instanceof RunFailedException failure && failure.isFromOutside();
      if (page != null) {
        page.ended(false, String.valueOf(e.getMessage()));
      }
      return ExitCodes.FAILED;
    } catch (OutOfMemoryError e) {
      System.err.println(
          "error: %s; -XX:MaxDirectMemorySize sets the limit of native memory"
              .formatted(e.getMessage()));
      return ExitCodes.FAILED;
    }
  }

  private Context context(long startNs, @Nullable LivePage page) {
    RunListener told = supervision == null ? terminal : supervision.writer();
    RunListener listener = metrics == null ? told : metrics.listen(told);
    return new Context(
        options,
        supervision == null ? secret() : supervision.secret(),
        transport,
        new RunRecord(page == null ? listener : new Both(listener, page.listener())),
        SystemClock.INSTANCE,
        startNs);
  }

  private void run(Context context, @Nullable LivePage page) {
    ReportFile file = ReportFile.open(options.report(), mapper);
    List<String> lost = runRole(context, page == null ? Spectator.NOBODY : page.spectator());
    if (page != null) {
      page.ended(true, ProgressText.outcome(context.report(lost)));
    }
    if (supervision == null && options.role() != Role.SERVER && options.role() != Role.CONTROLLER) {
      RunReport report = context.report(lost);
      terminal.summary(report);
      file.write(report);
    }
  }

  private List<String> runRole(Context context, Spectator spectator) {
    switch (options.role()) {
      case LOCAL -> {
        var lines = new EventLines(mapper);
        return LocalRole.run(context, TrainerApplication.class, lines, spectator);
      }
      case SERVER -> ServerRole.run(context);
      case WORKER -> WorkerRole.run(context);
      case SINGLE -> SingleRole.run(context);
      case CONTROLLER -> ControllerRole.run(context);
    }
    return List.of();
  }

  private String secret() {
    String given = System.getenv(SECRET);
    if (given != null && !given.isEmpty()) {
      return given;
    }
    if (options.role() == Role.CONTROLLER) {
      return "";
    }
    if (options.role() == Role.SERVER || options.role() == Role.WORKER) {
      throw new IllegalStateException(
          "set the environment variable %s to the same secret for all processes of the run"
              .formatted(SECRET));
    }
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
