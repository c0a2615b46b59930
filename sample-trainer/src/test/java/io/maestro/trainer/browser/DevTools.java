package io.maestro.trainer.browser;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The browser's DevTools protocol: commands with answers, and events. */
final class DevTools implements WebSocket.Listener, AutoCloseable {

  private static final int PATIENCE_SECONDS = 100;

  private final JsonMapper mapper = new JsonMapper();
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final List<Consumer<JsonNode>> ears = new CopyOnWriteArrayList<>();
  private final StringBuilder part = new StringBuilder();
  private final HttpClient client = HttpClient.newHttpClient();
  private WebSocket socket;

  private DevTools() {}

  static DevTools connect(URI address) throws Exception {
    var tools = new DevTools();
    tools.socket =
        tools
            .client
            .newWebSocketBuilder()
            .buildAsync(address, tools)
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return tools;
  }

  /** Hears each event of a session, on the socket's thread. */
  void listen(Consumer<JsonNode> ear) {
    ears.add(ear);
  }

  /** Sends a command and waits for its answer. */
  JsonNode call(String session, String method, Map<String, ?> parameters) {
    int id = ids.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    waiting.put(id, answer);
    Map<String, Object> command = new HashMap<>();
    command.put("id", id);
    command.put("method", method);
    command.put("params", parameters);
    if (!session.isEmpty()) {
      command.put("sessionId", session);
    }
    try {
      synchronized (this) {
        socket
            .sendText(mapper.writeValueAsString(command), true)
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(method + " failed: " + e.getMessage(), e);
    }
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
    part.append(text);
    if (isLast) {
      JsonNode message = mapper.readTree(part.toString());
      part.setLength(0);
      heard(message);
    }
    from.request(1);
    return null;
  }

  private void heard(JsonNode message) {
    if (!message.has("id")) {
      ears.forEach(ear -> ear.accept(message));
      return;
    }
    CompletableFuture<JsonNode> answer = waiting.remove(message.get("id").intValue());
    if (message.has("error")) {
      answer.completeExceptionally(new IllegalStateException(message.get("error").toString()));
    } else {
      answer.complete(message.get("result"));
    }
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    waiting.values().forEach(answer -> answer.completeExceptionally(error));
  }

  @Override
  public void close() {
    socket.abort();
    client.shutdownNow();
  }
}
