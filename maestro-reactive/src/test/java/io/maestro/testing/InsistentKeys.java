package io.maestro.testing;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Shows its certificate also to a peer that has said not to trust who issued it. */
final class InsistentKeys extends X509ExtendedKeyManager {
  private final X509ExtendedKeyManager keys;

  InsistentKeys(X509ExtendedKeyManager keys) {
    this.keys = keys;
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return keys.chooseEngineClientAlias(keyTypes, null, engine);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return keys.chooseEngineServerAlias(keyType, null, engine);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, Socket socket) {
    return keys.chooseClientAlias(keyTypes, null, socket);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, Socket socket) {
    return keys.chooseServerAlias(keyType, null, socket);
  }

  @Override
  public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return keys.getClientAliases(keyType, null);
  }

  @Override
  public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return keys.getServerAliases(keyType, null);
  }

  @Override
  public X509Certificate @Nullable [] getCertificateChain(String alias) {
    return keys.getCertificateChain(alias);
  }

  @Override
  public @Nullable PrivateKey getPrivateKey(String alias) {
    return keys.getPrivateKey(alias);
  }
}
