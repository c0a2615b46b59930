package io.maestro.boot;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.maestro.api.PathDirective;
import io.maestro.control.DirectiveJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;

/** A controller that has one thing to say, to clients whose certificate it trusts. */
record TlsController(HttpsServer server, Queue<String> tokens, Queue<String> peers)
    implements AutoCloseable {

  static TlsController start(KeyStores stores, PathDirective order) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(stores.load(stores.keys("server")), KeyStores.PASSWORD.toCharArray());
    TrustManagerFactory trusted =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusted.init(stores.load(stores.trusted("server")));
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);

    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters mutual = tls.getDefaultSSLParameters();
            mutual.setNeedClientAuth(true);
            parameters.setSSLParameters(mutual);
          }
        });
    TlsController controller =
        new TlsController(server, new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());
    server.createContext("/v1/connections/", exchange -> controller.answer(exchange, order));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return controller;
  }

  String url() {
    return "https://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private void answer(HttpExchange exchange, PathDirective order) throws IOException {
    tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    peers.add(((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName());
    exchange.getRequestBody().readAllBytes();
    if (exchange.getRequestMethod().equals("POST")) {
      exchange.sendResponseHeaders(204, -1);
    } else {
      byte[] event =
          "data: %s\n\n".formatted(DirectiveJson.write(order)).getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, event.length);
      exchange.getResponseBody().write(event);
    }
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
