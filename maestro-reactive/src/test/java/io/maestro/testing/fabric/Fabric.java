package io.maestro.testing.fabric;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A leaf-spine fabric of network namespaces that is up until it is closed. A thin view of the
 * command {@code benchmarks/fabric/fabric}, whose help explains what each method does; needs root.
 *
 * <p>Nodes are {@code host1}, {@code leaf1}, {@code spine1} and so on. A link is a spine, for all
 * its links in both directions, or one direction such as {@code leaf1-spine2}. Methods block until
 * the command has ended and throw {@link FabricException} with its words when it fails.
 */
public final class Fabric implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final String name;
  private final FabricOptions options;
  private final Thread hook = new Thread(this::down, "fabric down");

  private Fabric(String name, FabricOptions options) {
    this.name = name;
    this.options = options;
  }

  /** Builds one; it is taken away by {@link #close()} or when this JVM ends. */
  public static Fabric up(FabricOptions options) {
    List<String> arguments = new ArrayList<>(List.of("up", "--owner", "" + pid()));
    arguments.addAll(options.arguments());
    List<String> output = script(arguments);
    Fabric fabric = new Fabric(output.getLast(), options);
    Runtime.getRuntime().addShutdownHook(fabric.hook);
    return fabric;
  }

  /** Removes the fabrics whose owner is gone, such as those of a test run that was killed. */
  public static void clean() {
    script(List.of("clean"));
  }

  /** The command: property {@code maestro.fabric.script}, else this or an enclosing checkout's. */
  public static Path command() {
    String set = System.getProperty("maestro.fabric.script");
    if (set != null) {
      return Path.of(set);
    }
    Path here = Path.of("").toAbsolutePath();
    return Stream.iterate(here, folder -> folder != null, Path::getParent)
        .map(folder -> folder.resolve("benchmarks/fabric/fabric"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new FabricException("no benchmarks/fabric/fabric above " + here));
  }

  /** Its name: the prefix of its namespaces. */
  public String name() {
    return name;
  }

  /** How it was built. */
  public FabricOptions options() {
    return options;
  }

  /** The IPv4 address of an alias of a host, both counted from 1. */
  public InetAddress address(int host, int alias) {
    return InetAddress.ofLiteral("10.%d.%d.%d".formatted(leafOf(host), host, alias));
  }

  /** The IPv6 address of an alias of a host, both counted from 1. */
  public InetAddress address6(int host, int alias) {
    return InetAddress.ofLiteral("fd00:%d:%d::%d".formatted(leafOf(host), host, alias));
  }

  private int leafOf(int host) {
    return (host - 1) % options.leaves() + 1;
  }

  /** Runs a program in a node and returns its output. */
  public List<String> exec(String node, String... command) throws InterruptedException {
    try (NodeProcess process = start(node, command)) {
      return process.awaitSuccess(LIMIT);
    }
  }

  /** Starts a program in a node. */
  public NodeProcess start(String node, String... command) {
    return NodeProcess.start(mine(Stream.concat(Stream.of("exec", node), Stream.of(command))));
  }

  /** Starts the main method of a class in a JVM like this one, with its class path, in a node. */
  public NodeProcess startJava(String node, Class<?> main, Object... arguments) {
    return start(node, javaCommand(main, arguments).toArray(String[]::new));
  }

  /** The command that runs the main method of a class in a JVM like this one. */
  public static List<String> javaCommand(Class<?> main, Object... arguments) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> command =
        new ArrayList<>(List.of(java.toString(), "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    Stream.of(arguments).map(String::valueOf).forEach(command::add);
    return command;
  }

  /** What went through it so far. */
  public FabricCounters counters() {
    return FabricCounters.parse(String.join("\n", call("counters")));
  }

  /** Nodes, addresses, links, rates and the ECMP hash, as JSON. */
  public String topology() {
    return String.join("\n", call("topology"));
  }

  /** Sets the rate of a link, in Mbit/s. */
  public void rate(String link, int mbit) {
    call("rate", link, mbit);
  }

  /** Loses every packet silently, or stops doing so. */
  public void drop(String link, boolean on) {
    call("drop", link, on ? "on" : "off");
  }

  /** Loses packets at random. */
  public void loss(String link, double percent) {
    call("loss", link, percent);
  }

  /** Takes the cables of a spine out, or one such as {@code leaf1-spine2}, or puts them back. */
  public void link(String cable, boolean up) {
    call("link", cable, up ? "up" : "down");
  }

  /** Delays what enters a spine; the round trip grows by twice as much. */
  public void delay(String spine, double ms) {
    call("delay", spine, ms);
  }

  /** Starts a UDP stream from leaf1 to leaf2 across a spine; closing it ends it. */
  public Background background(String spine, int mbit) {
    return new Background(call("background", "start", spine, mbit).getLast());
  }

  /** A background stream. */
  public final class Background implements AutoCloseable {
    private final String id;

    private Background(String id) {
      this.id = id;
    }

    @Override
    public void close() {
      call("background", "stop", id);
    }
  }

  private List<String> call(Object... arguments) {
    return script(mine(Stream.of(arguments).map(String::valueOf)).stream().skip(1).toList());
  }

  private List<String> mine(Stream<String> arguments) {
    return Stream.concat(Stream.of(command().toString(), "-p", name), arguments).toList();
  }

  private static List<String> script(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(command().toString()));
    command.addAll(arguments);
    try (NodeProcess process = NodeProcess.start(command)) {
      return process.awaitSuccess(LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FabricException("interrupted in " + command);
    }
  }

  private static long pid() {
    return ProcessHandle.current().pid();
  }

  private void down() {
    call("down");
  }

  /** Kills what runs in it and takes it away. */
  @Override
  public void close() {
    if (Runtime.getRuntime().removeShutdownHook(hook)) {
      down();
    }
  }
}
