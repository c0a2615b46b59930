package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Keys of a client and a server, made by the JDK's keytool, each of which trusts the other. */
record KeyStores(Path folder) {
  static final String PASSWORD = "changeit";

  static KeyStores in(Path folder) throws Exception {
    KeyStores stores = new KeyStores(folder);
    for (String name : List.of("client", "server")) {
      stores.keytool(
          stores.keys(name),
          List.of(
              "-genkeypair",
              "-alias",
              name,
              "-keyalg",
              "EC",
              "-dname",
              "CN=" + name,
              "-ext",
              "san=ip:127.0.0.1"));
    }
    stores.trust("client", "server");
    stores.trust("server", "client");
    return stores;
  }

  Path keys(String owner) {
    return folder.resolve(owner + ".p12");
  }

  Path trusted(String owner) {
    return folder.resolve(owner + "-trusts.p12");
  }

  /** The properties of an SSL bundle. */
  String[] bundle(String name, String owner) {
    String prefix = "spring.ssl.bundle.jks." + name;
    return new String[] {
      prefix + ".keystore.location=file:" + keys(owner),
      prefix + ".keystore.password=" + PASSWORD,
      prefix + ".truststore.location=file:" + trusted(owner),
      prefix + ".truststore.password=" + PASSWORD
    };
  }

  KeyStore load(Path file) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(file)) {
      store.load(bytes, PASSWORD.toCharArray());
    }
    return store;
  }

  private void trust(String owner, String other) throws Exception {
    Path certificate = folder.resolve(other + ".cer");
    keytool(keys(other), List.of("-exportcert", "-alias", other, "-file", certificate.toString()));
    keytool(
        trusted(owner),
        List.of("-importcert", "-noprompt", "-alias", other, "-file", certificate.toString()));
  }

  private void keytool(Path store, List<String> arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString()));
    command.addAll(arguments);
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }
}
