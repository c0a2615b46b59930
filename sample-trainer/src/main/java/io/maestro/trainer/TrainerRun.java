package io.maestro.trainer;

import io.maestro.trainer.options.Role;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.process.ExitCodes;
import io.maestro.trainer.process.ParentWatch;
import io.maestro.trainer.report.EventLines;
import io.maestro.trainer.report.EventWriter;
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
import io.maestro.trainer.role.WorkerRole;
import io.maestro.trainer.sync.SyncException;
import io.maestro.trainer.sync.Transport;
import io.maestro.verbs.SystemClock;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
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
  private final Terminal terminal = new Terminal(System.out);

  TrainerRun(TrainerOptions options, Transport transport, JsonMapper mapper) {
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
    boolean supervised = Boolean.getBoolean(LocalRole.SUPERVISED);
    try {
      ReportFile file = ReportFile.open(options.report(), mapper);
      RunListener listener =
          supervised ? new EventWriter(new EventLines(mapper), System.out) : terminal;
      var context =
          new Context(
              options,
              supervised ? secretOfParent() : secret(),
              transport,
              new RunRecord(listener),
              SystemClock.INSTANCE,
              startNs);
      List<String> lost = runRole(context);
      if (!supervised && options.role() != Role.SERVER && options.role() != Role.CONTROLLER) {
        RunReport report = context.report(lost);
        terminal.summary(report);
        file.write(report);
      }
      return ExitCodes.DONE;
    } catch (SyncException | RunFailedException | IllegalStateException | UncheckedIOException e) {
      System.err.println("error: " + e.getMessage());
      return ExitCodes.FAILED;
    } catch (OutOfMemoryError e) {
      System.err.println(
          "error: %s; -XX:MaxDirectMemorySize sets the limit of native memory"
              .formatted(e.getMessage()));
      return ExitCodes.FAILED;
    }
  }

  private List<String> runRole(Context context) {
    switch (options.role()) {
      case LOCAL -> {
        return LocalRole.run(context, TrainerApplication.class, new EventLines(mapper));
      }
      case SERVER -> ServerRole.run(context);
      case WORKER -> WorkerRole.run(context);
      case SINGLE -> SingleRole.run(context);
      case CONTROLLER -> ControllerRole.run(context);
    }
    return List.of();
  }

  private static String secretOfParent() {
    var parent = new ParentWatch(System.in);
    String secret = parent.secret();
    // Nothing is worth saving without the parent, and a hook that hangs must not keep us alive.
    parent.onEnd(() -> Runtime.getRuntime().halt(ExitCodes.FAILED));
    return secret;
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
