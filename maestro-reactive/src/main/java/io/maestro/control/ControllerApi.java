package io.maestro.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** What a controller is asked over HTTP, and how it answers. */
public final class ControllerApi {
  private static final String FILE = "controller-openapi.yaml";

  private ControllerApi() {}

  /** The description of the interface, OpenAPI 3.1 in YAML. Reads it from the class path. */
  public static String description() {
    try (InputStream file =
        Objects.requireNonNull(ControllerApi.class.getResourceAsStream(FILE), FILE)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(FILE + " cannot be read", unreadable);
    }
  }
}
