package io.maestro.trainer.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/** A tab, with all that it has asked for and complained of. */
public final class Tab {

  private final DevTools tools;
  private final String session;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  private Tab(DevTools tools, String session) {
    this.tools = tools;
    this.session = session;
    tools.listen(this::heard);
  }

  static Tab open(DevTools tools, Look look) {
    JsonNode target = tools.call("", "Target.createTarget", Map.of("url", "about:blank"));
    JsonNode attached =
        tools.call(
            "",
            "Target.attachToTarget",
            Map.of("targetId", target.get("targetId").stringValue(), "flatten", true));
    var tab = new Tab(tools, attached.get("sessionId").stringValue());
    List.of("Page", "Runtime", "Network", "Log").forEach(area -> tab.call(area + ".enable"));
    tab.look(look);
    return tab;
  }

  private void heard(JsonNode event) {
    if (!event.path("sessionId").stringValue("").equals(session)) {
      return;
    }
    JsonNode about = event.get("params");
    switch (event.get("method").stringValue()) {
      case "Network.requestWillBeSent" ->
          requests.add(about.get("request").get("url").stringValue());
      case "Runtime.exceptionThrown" -> complaints.add(about.get("exceptionDetails").toString());
      case "Log.entryAdded" -> complaints.add(about.get("entry").toString());
      default -> {
        // Of no interest.
      }
    }
  }

  private JsonNode call(String method) {
    return tools.call(session, method, Map.of());
  }

  /** Has another screen from now on. */
  public void look(Look look) {
    tools.call(
        session,
        "Emulation.setDeviceMetricsOverride",
        Map.of(
            "width", look.width(),
            "height", look.height(),
            "deviceScaleFactor", 1,
            "mobile", look.isPhone()));
    tools.call(
        session,
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", look.scheme().value()))));
  }

  /** Goes to an address. */
  public void go(String url) {
    tools.call(session, "Page.navigate", Map.of("url", url));
  }

  /** The value of an expression; a promise is waited for. */
  public JsonNode value(String expression) {
    JsonNode answer =
        tools.call(
            session,
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.get("result").path("value");
  }

  /** Waits until an expression is true; fails after 90 seconds. */
  public void await(String expression) {
    value(
        """
        new Promise((resolve, reject) => {
          const start = performance.now();
          const look = () => {
            let is = false;
            try { is = %s; } catch { }
            if (is) resolve(true);
            else if (performance.now() - start > 90_000) reject(new Error("never true: " + %s));
            else setTimeout(look, 50);
          };
          look();
        })"""
            .formatted(expression, quoted(expression)));
  }

  private static String quoted(String text) {
    return "`" + text.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$") + "`";
  }

  /** Clicks with the mouse in the middle of an element. */
  public void click(String selector) {
    JsonNode place =
        value(
            """
            (() => {
              const element = document.querySelector(`%s`);
              element.scrollIntoView({ block: "center", behavior: "instant" });
              const box = element.getBoundingClientRect();
              return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
            })()"""
                .formatted(selector));
    for (String type : List.of("mousePressed", "mouseReleased")) {
      tools.call(
          session,
          "Input.dispatchMouseEvent",
          Map.of(
              "type",
              type,
              "x",
              place.get("x").doubleValue(),
              "y",
              place.get("y").doubleValue(),
              "button",
              "left",
              "clickCount",
              1));
    }
  }

  /** Presses and releases a key, such as {@code c} or {@code Tab}. */
  public void press(String key) {
    for (String type : List.of(key.length() == 1 ? "keyDown" : "rawKeyDown", "keyUp")) {
      Map<String, Object> event =
          key.length() == 1 && type.equals("keyDown")
              ? Map.of("type", type, "key", key, "text", key)
              : Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code(key));
      tools.call(session, "Input.dispatchKeyEvent", event);
    }
  }

  private static int code(String key) {
    return switch (key) {
      case "Tab" -> 9;
      case "Enter" -> 13;
      case "Escape" -> 27;
      case "ArrowRight" -> 39;
      default -> key.charAt(0);
    };
  }

  /** Writes what is to be seen, the whole page, as PNG. */
  public void screenshot(Path file) throws IOException {
    value("scrollTo(0, 0)");
    JsonNode shot =
        tools.call(
            session,
            "Page.captureScreenshot",
            Map.of("format", "png", "captureBeyondViewport", true));
    Files.createDirectories(file.getParent());
    Files.write(file, Base64.getDecoder().decode(shot.get("data").stringValue()));
  }

  /** The addresses of everything it has asked for. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Exceptions, and what the browser complained of, such as a breach of a policy. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }
}
