package io.maestro.trainer;

import io.maestro.MaestroBuilder;
import io.maestro.trainer.metrics.MetricsServer;
import io.maestro.trainer.options.InvalidOptionException;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.process.ExitCodes;
import io.maestro.trainer.role.LocalRole;
import io.maestro.trainer.sync.Transport;
import io.maestro.verbs.SystemClock;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import tools.jackson.databind.json.JsonMapper;

/** Starts the sample trainer. */
@SpringBootApplication
public class TrainerApplication {

  /**
   * Runs until the work is done and ends the JVM.
   *
   * @param args see {@code --help}
   */
  public static void main(String[] args) {
    System.exit(run(List.of(args)));
  }

  private static int run(List<String> args) {
    long startNs = SystemClock.INSTANCE.nanoTime();
    TrainerOptions options;
    try {
      options = TrainerOptions.parse(args);
    } catch (InvalidOptionException e) {
      System.err.println("error: " + e.getMessage() + "\n\n" + TrainerOptions.usage());
      return ExitCodes.USAGE;
    }
    if (options.help()) {
      System.out.println(TrainerOptions.usage());
      return ExitCodes.DONE;
    }
    try (MetricsServer metrics = MetricsServer.start(options).orElse(null)) {
      return run(options, metrics, startNs);
    } catch (IllegalStateException taken) {
      System.err.println("error: " + taken.getMessage());
      return ExitCodes.FAILED;
    }
  }

  private static int run(TrainerOptions options, @Nullable MetricsServer metrics, long startNs) {
    if (Boolean.getBoolean(LocalRole.SUPERVISED)) {
      // Three of these share the cores with the first: none waits for a context it has no use for.
      var mapper = new JsonMapper();
      var supervision = new Supervision(options, mapper);
      UnaryOperator<MaestroBuilder> parts = supervision.parts();
      Transport transport =
          TrainerConfiguration.transport(
              options, metrics == null ? parts : builder -> metrics.equip(parts.apply(builder)));
      return new TrainerRun(options, transport, mapper, metrics, supervision).run(startNs);
    }
    System.out.println("Maestro sample trainer, role " + options.role().label());
    try (ConfigurableApplicationContext context = start(options, metrics)) {
      return context.getBean(TrainerRun.class).run(startNs);
    }
  }

  private static ConfigurableApplicationContext start(
      TrainerOptions options, @Nullable MetricsServer metrics) {
    var application = new SpringApplication(TrainerApplication.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    application.addInitializers(
        context -> {
          var beans = (GenericApplicationContext) context;
          beans.registerBean(TrainerOptions.class, () -> options);
          if (metrics != null) {
            beans.registerBean(MetricsServer.class, () -> metrics);
          }
        });
    return application.run(options.others().toArray(String[]::new));
  }
}
