package io.maestro.trainer;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the sample trainer. */
@SpringBootApplication
public class TrainerApplication {

  /**
   * Runs the application until its work is done.
   *
   * @param args command line options, as Spring Boot reads them
   */
  public static void main(String[] args) {
    SpringApplication.run(TrainerApplication.class, args);
  }
}
