package io.maestro.verbs.iwarp;

import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * TLS 1.3 in which both sides show a certificate that the other one's trust store vouches for. The
 * name in it is not compared: paths have addresses, not names, so the store holds an authority that
 * certifies peers of this application only.
 */
record Tls(SSLContext context) {

  TlsStream dial(SocketChannel channel) throws SSLException {
    SSLEngine engine = engine();
    engine.setUseClientMode(true);
    return new TlsStream(channel, engine);
  }

  TlsStream accept(SocketChannel channel) throws SSLException {
    SSLEngine engine = engine();
    engine.setUseClientMode(false);
    engine.setNeedClientAuth(true);
    return new TlsStream(channel, engine);
  }

  /** Without the peer's address: no session is resumed, so that every path proves who it is. */
  private SSLEngine engine() {
    SSLEngine engine = context.createSSLEngine();
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3"});
    engine.setSSLParameters(parameters);
    return engine;
  }
}
