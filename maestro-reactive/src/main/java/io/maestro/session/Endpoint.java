package io.maestro.session;

import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.maestro.api.Binding;
import io.maestro.api.Connection;
import io.maestro.api.MaestroConfig;
import io.maestro.api.MaestroException;
import io.maestro.api.MaestroObserver;
import io.maestro.api.MaestroStatus;
import io.maestro.api.PathController;
import io.maestro.net.PathPlanner;
import io.maestro.path.ControllerDriven;
import io.maestro.path.LoadBalancer;
import io.maestro.path.LoadBalancerFactory;
import io.maestro.verbs.Device;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * One device with what its sessions share: memory, event loops, settings. The one public class of
 * this package. Any thread; nothing blocks but {@link #close}.
 */
public final class Endpoint implements AutoCloseable {
  private static final long TICK_NS = 50_000_000;
  private static final int READ_DEPTH = 32;
  private static final int MIN_CHUNKS = 64;
  private static final int MAX_CHUNKS = 2048;
  private static final int ATTEMPT_STALLS = 10;

  private final Device device;
  private final MaestroConfig config;
  private final Policies policies;
  private final Scheduler delivery;
  private final String name;
  private final LoadBalancerFactory balancers;
  private final @Nullable MaestroObserver observer;
  private final MemoryBudget budget;
  private final RegionPool pool;
  private final SecureRandom random = new SecureRandom();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final AtomicInteger nextLoop = new AtomicInteger();
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
  private final Map<Session, Connection> open = new ConcurrentHashMap<>();

  /**
   * What decides about paths.
   *
   * @param planner chooses the routes of outgoing paths
   * @param breakers where circuit breakers are to be found; null for nowhere
   * @param controller steers the paths; null for none
   * @param observers are told what happens, in this order
   */
  public record Policies(
      PathPlanner planner,
      @Nullable CircuitBreakerRegistry breakers,
      @Nullable PathController controller,
      List<MaestroObserver> observers) {
    /** Takes over the list. */
    public Policies {
      observers = List.copyOf(observers);
    }

    /** Neither routes nor a registry nor a controller nor an observer. */
    public static Policies none() {
      return new Policies(PathPlanner.none(), null, null, List.of());
    }

    /** These with a controller. */
    public Policies with(PathController other) {
      return new Policies(planner, breakers, other, observers);
    }

    /** These with an observer and no other. */
    public Policies with(MaestroObserver other) {
      return new Policies(planner, breakers, controller, List.of(other));
    }
  }

  /**
   * An endpoint on a device, which it owns from now on.
   *
   * @param policies what decides about paths
   * @param delivery where user code runs; {@code Schedulers.immediate()} for the event loops
   * @param name what peers are told, at most 64 bytes of UTF-8
   * @throws MaestroException.Unsupported when there is no balancer of the configured name, or it
   *     needs a controller and there is none
   */
  public Endpoint(
      Device device, MaestroConfig config, Policies policies, Scheduler delivery, String name) {
    this.device = device;
    this.config = config;
    this.policies = policies;
    this.delivery = delivery;
    this.name = name;
    this.balancers = LoadBalancerFactory.named(config.balancer());
    if (policies.controller() == null && config.balancer().equals(ControllerDriven.NAME)) {
      throw new MaestroException.Unsupported(
          "balancer",
          "the balancer %s needs a controller: give one to the builder"
              .formatted(ControllerDriven.NAME),
          null);
    }
    this.budget = new MemoryBudget(config.memoryBudgetBytes());
    this.pool = new RegionPool(budget);
    this.observer = ObserverChain.of(policies.observers());
  }

  /**
   * Connects over all configured paths; path <i>i</i> goes to remote <i>i</i> modulo their number.
   * Completes when each path is up or has failed, and at least one is up; cancelling gives up.
   */
  public Mono<Connection> connect(List<InetSocketAddress> remotes) {
    return Mono.<Connection>create(
            sink -> {
              requireSecret(remotes);
              new Connector(this, List.copyOf(remotes), sink).start();
            })
        .publishOn(delivery);
  }

  /** Listens on all of the addresses. */
  public Mono<Binding> bind(List<InetSocketAddress> addresses) {
    return Mono.fromCallable(
        () -> {
          requireSecret(addresses);
          return Acceptor.bind(this, addresses);
        });
  }

  private void requireSecret(List<InetSocketAddress> addresses) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("at least one address is needed");
    }
    MaestroConfig.Security security = config.security();
    for (InetSocketAddress address : addresses) {
      if (address.isUnresolved()) {
        throw new MaestroException.Unsupported(
            "the host name of %s is unknown".formatted(address), null);
      }
      boolean local = address.getAddress().isLoopbackAddress();
      if (!local && !security.admitsOtherMachines()) {
        throw new MaestroException.Unsupported(
            "%s is not a loopback address and no secret is set: set the same secret on all peers, TLS or"
                    .formatted(address)
                + " allowUnauthenticated on a trusted network",
            null);
      }
    }
  }

  /** Tells the observer, if there is one, that this instance is there. */
  public void started(MaestroStatus maestro) {
    if (observer != null) {
      observer.started(maestro);
    }
  }

  /** The connections that are open, on either side, in no order. */
  public List<Connection> connections() {
    return List.copyOf(open.values());
  }

  /** Bytes of received messages that nobody has closed yet; 0 when all are. */
  public long leasedBytes() {
    return budget.usedBytes();
  }

  /** Ends all sessions, frees idle memory and closes the device. */
  @Override
  public void close() {
    for (Session session : sessions) {
      session.later(() -> session.end(null));
    }
    device.close();
    pool.close();
    if (observer != null && stopped.compareAndSet(false, true)) {
      observer.stopped();
    }
  }

  // ---- for the connecting and the accepting side

  Device device() {
    return device;
  }

  MaestroConfig config() {
    return config;
  }

  PathPlanner planner() {
    return policies.planner();
  }

  String name() {
    return name;
  }

  SecureRandom random() {
    return random;
  }

  Scheduler delivery() {
    return delivery;
  }

  RegionPool pool() {
    return pool;
  }

  EventLoop nextLoop() {
    List<EventLoop> loops = device.loops();
    return loops.get(Math.floorMod(nextLoop.getAndIncrement(), loops.size()));
  }

  SessionParameters offer() {
    return new SessionParameters(
        config.chunkBytes(),
        config.eagerBytes(),
        config.maxMessages(),
        config.paths(),
        config.timeouts().keepAlive().toNanos());
  }

  SessionContext context(
      EventLoop loop, SessionParameters agreed, String peer, ProtectionDomain domain) {
    return new SessionContext(
        loop,
        agreed,
        peer,
        new Observed(observer),
        domain,
        new Registrations(domain),
        budget,
        pool,
        delivery,
        blocking());
  }

  /** Virtual time would not wait for another thread. */
  private Scheduler blocking() {
    return device.hasVirtualTime() ? Schedulers.immediate() : Schedulers.boundedElastic();
  }

  SessionOptions sessionOptions(boolean client, EventLoop loop) {
    return new SessionOptions(
        client,
        balancer(),
        config.windowBytes(),
        maxChunks(),
        TICK_NS,
        config.timeouts().send().toNanos(),
        config.timeouts().close().toNanos(),
        failoverOptions(loop));
  }

  private LoadBalancer balancer() {
    LoadBalancer local = balancers.create();
    int floor = config.control().floor();
    return policies.controller() == null ? local : new ControllerDriven(local, floor);
  }

  /** A connection is open: whoever watches or steers it is told. Session's loop. */
  void opened(Session session, Connection connection) {
    open.put(session, connection);
    session.context().observed().opened(connection);
    steer(session, connection);
  }

  private void steer(Session session, Connection connection) {
    PathController controller = policies.controller();
    if (controller != null && session.fanOut().balance().balancer() instanceof ControllerDriven c) {
      new Steering(session, connection, new Steering.Parts(controller, c, config.control()))
          .begin();
    }
  }

  private FailoverOptions failoverOptions(EventLoop loop) {
    MaestroConfig.Breaker breaker = config.breaker();
    // Time is random enough where many hosts try again, and the same each time in a simulation.
    RandomGenerator jitter = new SplittableRandom(loop.nanoTime());
    return new FailoverOptions(
        breaker.stall().toNanos(),
        attemptNs(),
        breaker.maxBackoff().toNanos(),
        config.timeouts().reconnect().toNanos(),
        Breakers.settings(breaker, policies.breakers(), jitter));
  }

  /** How long an attempt to connect a lost path anew may take, and the answer to a probe. */
  long attemptNs() {
    return ATTEMPT_STALLS * config.breaker().stall().toNanos();
  }

  private int maxChunks() {
    long wanted =
        Math.clamp(2 * config.windowBytes() / config.chunkBytes(), MIN_CHUNKS, MAX_CHUNKS);
    int offered = device.limits().maxSendDepth() - SendQueue.DEPTH;
    return Integer.highestOneBit(Math.toIntExact(Math.min(wanted, offered)));
  }

  PathOptions pathOptions(int id, int generation, ProtectionDomain domain) {
    return new PathOptions(
        id,
        generation,
        domain,
        maxChunks(),
        MessageHeader.maxMessageBytes(config.eagerBytes()),
        config.breaker().stall().toNanos(),
        config.timeouts().keepAlive().toNanos());
  }

  QpOptions qpOptions(ProtectionDomain domain, EventLoop loop) {
    int reads = Math.min(READ_DEPTH, device.limits().maxReadDepth());
    return new QpOptions(domain, loop, maxChunks() + SendQueue.DEPTH, SendQueue.DEPTH, reads);
  }

  void add(Session session) {
    sessions.add(session);
  }

  /** A session has ended; null when in order. Session's loop. */
  void remove(Session session, @Nullable MaestroException failure) {
    sessions.remove(session);
    open.remove(session);
    session.context().observed().closed(failure);
  }
}
