package io.maestro.testing.fabric;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What went through a fabric until one moment. */
public record FabricCounters(List<Port> ports, List<Node> nodes) {
  private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":(?:\"([^\"]*)\"|(-?\\d+))");

  /**
   * One direction of a link.
   *
   * @param bytes those that left by it, with their Ethernet headers
   * @param queueDrops packets that its full queue dropped
   * @param backlogBytes depth of its queue at this moment
   */
  public record Port(
      String from, String to, long bytes, long packets, long queueDrops, long backlogBytes) {}

  /** Packets that arrived at a node: all, the ECN-capable ones, and those marked CE. */
  public record Node(String name, long packetsIn, long ectPacketsIn, long cePacketsIn) {}

  static FabricCounters parse(String json) {
    List<Map<String, String>> rows =
        json.lines()
            .filter(line -> line.startsWith("{\"from\"") || line.startsWith("{\"node\""))
            .map(FabricCounters::fields)
            .toList();
    return new FabricCounters(
        rows.stream().filter(row -> row.containsKey("from")).map(FabricCounters::port).toList(),
        rows.stream().filter(row -> row.containsKey("node")).map(FabricCounters::node).toList());
  }

  /** The port of {@code from} that leads to {@code to}. */
  public Port port(String from, String to) {
    return ports.stream()
        .filter(port -> port.from().equals(from) && port.to().equals(to))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("no link " + from + "-" + to));
  }

  /** A node by its name. */
  public Node node(String name) {
    return nodes.stream()
        .filter(node -> node.name().equals(name))
        .findAny()
        .orElseThrow(() -> new IllegalArgumentException("no node " + name));
  }

  /** Bytes that a leaf sent to each spine, by the spine's name. */
  public Map<String, Long> bytesFrom(String leaf) {
    Map<String, Long> bytes = new TreeMap<>();
    ports.stream()
        .filter(port -> port.from().equals(leaf) && port.to().startsWith("spine"))
        .forEach(port -> bytes.put(port.to(), port.bytes()));
    return bytes;
  }

  /** Bytes that a leaf sent to each spine since an earlier moment. */
  public Map<String, Long> bytesFrom(String leaf, FabricCounters since) {
    Map<String, Long> before = since.bytesFrom(leaf);
    Map<String, Long> bytes = bytesFrom(leaf);
    bytes.replaceAll((spine, now) -> now - before.getOrDefault(spine, 0L));
    return bytes;
  }

  private static Map<String, String> fields(String row) {
    Map<String, String> fields = new TreeMap<>();
    Matcher matcher = FIELD.matcher(row);
    while (matcher.find()) {
      fields.put(matcher.group(1), matcher.group(2) == null ? matcher.group(3) : matcher.group(2));
    }
    return fields;
  }

  private static Port port(Map<String, String> row) {
    return new Port(
        row.get("from"),
        row.get("to"),
        number(row, "bytes"),
        number(row, "packets"),
        number(row, "queueDrops"),
        number(row, "backlogBytes"));
  }

  private static Node node(Map<String, String> row) {
    return new Node(
        row.get("node"),
        number(row, "packetsIn"),
        number(row, "ectPacketsIn"),
        number(row, "cePacketsIn"));
  }

  private static long number(Map<String, String> row, String name) {
    return Long.parseLong(row.get(name));
  }
}
