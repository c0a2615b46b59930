package io.maestro.trainer;

import io.maestro.trainer.options.InvalidOptionException;
import io.maestro.trainer.options.TrainerOptions;
import io.maestro.trainer.process.ExitCodes;
import io.maestro.trainer.role.LocalRole;
import io.maestro.trainer.sync.Transport;
import io.maestro.verbs.SystemClock;
import java.util.List;
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
    if (Boolean.getBoolean(LocalRole.SUPERVISED)) {
      // Three of these share the cores with the first: none waits for a context it has no use for.
      var mapper = new JsonMapper();
      var supervision = new Supervision(options, mapper);
      Transport transport = TrainerConfiguration.transport(options, supervision.equipment());
      return new TrainerRun(options, transport, mapper, supervision).run(startNs);
    }
    System.out.println("Maestro sample trainer, role " + options.role().label());
    try (ConfigurableApplicationContext context = start(options)) {
      return context.getBean(TrainerRun.class).run(startNs);
    }
  }

  private static ConfigurableApplicationContext start(TrainerOptions options) {
    var application = new SpringApplication(TrainerApplication.class);
    application.setWebApplicationType(WebApplicationType.NONE);
    application.setBannerMode(Banner.Mode.OFF);
    application.setLogStartupInfo(false);
    application.addInitializers(
        context ->
            ((GenericApplicationContext) context)
                .registerBean(TrainerOptions.class, () -> options));
    return application.run(options.others().toArray(String[]::new));
  }
}
