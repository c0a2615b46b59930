package io.maestro.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.MaestroConfig;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceOptions;
import io.maestro.verbs.sim.LinkOptions;
import io.maestro.verbs.sim.SimFabric;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A simulated fabric in virtual time, whose links lose 2 % of their packets and let others
 * overtake; everything, user code too, runs on the thread of the test.
 */
final class SimRig implements Rig {
  static final String CLIENT = "10.0.0.";
  static final String SERVER = "10.0.1.";

  /** How long what is sent over a frozen wire is on its way. */
  private static final Duration FREEZE = Duration.ofSeconds(3);

  final SimFabric fabric;
  private final List<Endpoint> endpoints = new ArrayList<>();

  private final LinkOptions links;
  private final int aliases;
  private UnaryOperator<Device> wrapping = device -> device;
  private Scheduler delivery = Schedulers.immediate();

  SimRig(long seed) {
    this(
        LinkOptions.defaults().withLoss(0.02).withReordering(Duration.ofNanos(20_000), 0.1),
        SimFabric.builder().seed(seed));
  }

  SimRig(LinkOptions links, SimFabric.Builder builder) {
    this(links, builder, 4);
  }

  SimRig(LinkOptions links, SimFabric.Builder builder, int aliases) {
    this.links = links;
    this.aliases = aliases;
    for (int alias = 1; alias <= aliases; alias++) {
      builder.address(CLIENT + alias).address(SERVER + alias);
    }
    fabric = builder.links(links).build();
  }

  /** Puts something before the devices of the endpoints to come. */
  SimRig wrapping(UnaryOperator<Device> wrapper) {
    wrapping = wrapper;
    return this;
  }

  /** Lets user code of the endpoints to come run apart from the loops, in virtual time too. */
  SimRig deferring() {
    delivery = fabric.scheduler();
    return this;
  }

  @Override
  public Endpoint endpoint(
      UnaryOperator<MaestroConfig.Builder> settings, Endpoint.Policies policies) {
    List<InetAddress> locals = new ArrayList<>();
    for (int alias = 1; alias <= aliases; alias++) {
      locals.add(InetAddress.ofLiteral(CLIENT + alias));
    }
    MaestroConfig config = MaestroConfig.with(b -> settings.apply(b.localAddresses(locals)));
    DeviceOptions options = new DeviceOptions(config.loops(), config.checksum(), false);
    Endpoint endpoint =
        new Endpoint(
            wrapping.apply(fabric.provider().open(options)), config, policies, delivery, "test");
    endpoints.add(endpoint);
    return endpoint;
  }

  @Override
  public List<InetSocketAddress> addresses() {
    List<InetSocketAddress> all = new ArrayList<>();
    for (int alias = 1; alias <= aliases; alias++) {
      all.add(new InetSocketAddress(InetAddress.ofLiteral(SERVER + alias), 0));
    }
    return all;
  }

  @Override
  public List<InetSocketAddress> wires(List<InetSocketAddress> targets) {
    return targets;
  }

  @Override
  public void wire(int index, Wire state) {
    InetAddress server = InetAddress.ofLiteral(SERVER + (index + 1));
    for (int alias = 1; alias <= aliases; alias++) {
      InetAddress client = InetAddress.ofLiteral(CLIENT + alias);
      fabric.setUp(client, server, state != Wire.BROKEN);
      fabric.setLink(client, server, state == Wire.FROZEN ? links.withDelay(FREEZE) : links);
    }
  }

  /** Changes both directions of the link that the path of this number takes. */
  void link(int path, LinkOptions options) {
    InetAddress client = InetAddress.ofLiteral(CLIENT + (path + 1));
    InetAddress server = InetAddress.ofLiteral(SERVER + (path + 1));
    fabric.setLink(client, server, options);
  }

  /** Packets lost so far on the links that the paths take. */
  long drops() {
    long drops = 0;
    for (int alias = 1; alias <= aliases; alias++) {
      InetAddress client = InetAddress.ofLiteral(CLIENT + alias);
      InetAddress server = InetAddress.ofLiteral(SERVER + alias);
      drops += fabric.drops(client, server) + fabric.drops(server, client);
    }
    return drops;
  }

  /** Makes a wire lose everything in silence, or ends that. */
  void blackHole(int index, boolean swallows) {
    InetAddress client = InetAddress.ofLiteral(CLIENT + (index + 1));
    InetAddress server = InetAddress.ofLiteral(SERVER + (index + 1));
    fabric.setBlackHole(client, server, swallows);
    fabric.setBlackHole(server, client, swallows);
  }

  @Override
  public <T> List<T> all(Publisher<T> source, Duration limit) {
    List<T> got = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    boolean[] done = new boolean[1];
    Flux.from(source)
        .subscribe(
            got::add,
            failure -> {
              failures.add(failure);
              done[0] = true;
            },
            () -> done[0] = true);
    until(() -> done[0], limit);
    if (!failures.isEmpty()) {
      throw Exceptions.propagate(failures.getFirst());
    }
    return got;
  }

  @Override
  public void until(BooleanSupplier condition, Duration limit) {
    assertThat(fabric.runUntil(condition, limit))
        .as("the condition holds within %s", limit)
        .isTrue();
  }

  @Override
  public void close() {
    endpoints.forEach(Endpoint::close);
    fabric.runFor(Duration.ofMillis(10));
  }
}
