package io.maestro.boot;

import java.util.Objects;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.core.env.StandardEnvironment;

/** What a user is shown of a start that failed. */
final class Analyses {
  private Analyses() {}

  static FailureAnalysis of(AssertableApplicationContext context) {
    Throwable failure = Objects.requireNonNull(context.getStartupFailure(), "it has started");
    return Objects.requireNonNull(
        new MaestroStartFailureAnalyzer(new StandardEnvironment()).analyze(failure),
        () -> "nothing is said about " + failure);
  }
}
