package io.maestro.trainer;

import static java.util.Objects.requireNonNull;

import io.maestro.MaestroBuilder;
import io.maestro.api.MaestroConfig;
import io.maestro.trainer.fault.FaultBoard;
import io.maestro.trainer.fault.FaultOrder;
import io.maestro.trainer.fault.FaultyVerbsProvider;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.process.ExitCodes;
import io.maestro.trainer.process.ParentWatch;
import io.maestro.trainer.report.EventLines;
import io.maestro.trainer.report.EventWriter;
import io.maestro.trainer.role.PathReporter;
import io.maestro.verbs.VerbsProvider;
import java.util.function.UnaryOperator;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** What a process that has a parent does for it: tells it all, and makes the faults it wants. */
final class Supervision {

  private final FaultBoard faults = new FaultBoard();
  private final ParentWatch parent = new ParentWatch(System.in);
  private final TrainerOptions options;
  private final JsonMapper mapper;
  private final EventWriter writer;

  Supervision(TrainerOptions options, JsonMapper mapper) {
    this.options = options;
    this.mapper = mapper;
    writer = new EventWriter(new EventLines(mapper), System.out);
  }

  EventWriter writer() {
    return writer;
  }

  /** What the transport needs for it; without a page nobody looks and nothing is added. */
  UnaryOperator<MaestroBuilder> parts() {
    if (!options.page().isOn()) {
      return UnaryOperator.identity();
    }
    return builder ->
        builder
            .provider(new FaultyVerbsProvider(provider(), faults))
            .observer(new PathReporter(options.role(), writer));
  }

  private static VerbsProvider provider() {
    String name = MaestroConfig.defaults().provider();
    return requireNonNull(VerbsProvider.installed().get(name), name);
  }

  /** The secret of the run. Blocks until the parent has told it, and heeds the parent from then. */
  String secret() {
    String secret = parent.secret();
    // Nothing is worth saving without the parent, and a hook that hangs must not keep us alive.
    parent.listen(this::obey, () -> Runtime.getRuntime().halt(ExitCodes.FAILED));
    return secret;
  }

  private void obey(String line) {
    try {
      FaultOrder.parse(line, mapper).carryOut(faults);
    } catch (JacksonException | IllegalArgumentException e) {
      System.err.println("not understood: " + e.getMessage());
    }
  }
}
