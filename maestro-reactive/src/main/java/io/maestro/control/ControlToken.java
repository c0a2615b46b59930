package io.maestro.control;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What proves to the controller that a process knows the secret, and does not give the secret
 * itself away. The same for all processes and requests: who reads it on the wire may use it, so
 * beyond trusted networks it belongs into TLS.
 */
public final class ControlToken {
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte[] PURPOSE =
      "maestro path controller 1".getBytes(StandardCharsets.US_ASCII);

  private ControlToken() {}

  /** The value of the header {@code Authorization}; empty without a secret. */
  public static String of(String secret) {
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
