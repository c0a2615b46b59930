package io.maestro.trainer.controller;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What proves to the controller that a process knows the secret of the run, and does not give the
 * secret itself away.
 */
final class ControlToken {
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] PURPOSE =
      "maestro path controller 1".getBytes(StandardCharsets.US_ASCII);

  private ControlToken() {}

  /** The value of the header {@code Authorization}; empty without a secret. */
  static String of(String secret) {
    if (secret.isEmpty()) {
      return "";
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return "Bearer " + HexFormat.of().formatHex(mac.doFinal(PURPOSE));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException(ALGORITHM + " belongs to every Java", impossible);
    }
  }
}
