package io.maestro.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** A key with a certificate that vouches for itself, made by the JDK's keytool. */
public final class Identity {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final String name;
  private final KeyStore store;

  private Identity(String name, KeyStore store) {
    this.name = name;
    this.store = store;
  }

  /** Makes one; takes about a second. */
  public static Identity of(String name) {
    try {
      Path folder = Files.createTempDirectory("identity");
      Path file = folder.resolve("store.p12");
      try {
        keytool(name, file);
        try (InputStream bytes = Files.newInputStream(file)) {
          KeyStore store = KeyStore.getInstance("PKCS12");
          store.load(bytes, PASSWORD);
          return new Identity(name, store);
        }
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError("no identity " + name, e);
    }
  }

  private static void keytool(String name, Path file) throws IOException {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    String[] command = {
      keytool.toString(),
      "-genkeypair",
      "-alias",
      name,
      "-keyalg",
      "EC",
      "-groupname",
      "secp256r1",
      "-dname",
      "CN=" + name,
      "-keystore",
      file.toString(),
      "-storepass",
      new String(PASSWORD)
    };
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
        throw new IOException("keytool failed: " + output);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** This identity, for a side that trusts the given ones and nobody else. */
  public SSLContext trusting(Identity... others) {
    return context(store, others);
  }

  /** A side that trusts the given ones and does not say who it is. */
  public static SSLContext nobodyTrusting(Identity... others) {
    try {
      KeyStore empty = KeyStore.getInstance("PKCS12");
      empty.load(null, PASSWORD);
      return context(empty, others);
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static SSLContext context(KeyStore own, Identity... others) {
    try {
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(own, PASSWORD);
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, PASSWORD);
      for (Identity other : others) {
        trusted.setCertificateEntry(other.name, other.certificate());
      }
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(insisting(keys.getKeyManagers()), trust.getTrustManagers(), new SecureRandom());
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static KeyManager[] insisting(KeyManager[] managers) {
    return Arrays.stream(managers)
        .map(manager -> new InsistentKeys((X509ExtendedKeyManager) manager))
        .toArray(KeyManager[]::new);
  }

  private Certificate certificate() throws GeneralSecurityException {
    return store.getCertificate(name);
  }
}
