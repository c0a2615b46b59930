package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.verbs.ConnectionRequest;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** One accepted session, from its first path to its end. */
final class Accepted implements SessionEvents {
  private static final Logger LOG = LoggerFactory.getLogger(Accepted.class);

  private final Endpoint endpoint;
  private final Acceptor acceptor;
  private final SessionKeys keys;
  private final ProtectionDomain domain;
  private final EventLoop loop;
  private final Session session;
  private final MeterHost meters;
  private final Map<Path, Successor> successors = new HashMap<>();
  private volatile boolean confirmed;

  /** A path that is to be accepted as soon as its earlier generation has closed. */
  private record Successor(ConnectionRequest request, Join join) {}

  Accepted(Endpoint endpoint, Acceptor acceptor, SessionKeys keys, InetSocketAddress remote) {
    this.endpoint = endpoint;
    this.acceptor = acceptor;
    this.keys = keys;
    this.domain = endpoint.device().allocateDomain();
    this.loop = endpoint.nextLoop();
    this.meters = new MeterHost(endpoint, loop);
    String peer = "%s at %s".formatted(keys.peerName(), remote);
    this.session =
        new Session(
            endpoint.context(loop, keys.parameters(), peer, domain),
            endpoint.sessionOptions(false, loop),
            this);
    endpoint.add(session);
  }

  boolean confirmed() {
    return confirmed;
  }

  void start(ConnectionRequest request, ByteBuffer accept) {
    loop.execute(
        () -> {
          loop.schedule(endpoint.config().timeouts().connect().toNanos(), this::expire);
          accept(request, new Path(endpoint.pathOptions(0, 0, domain), session, loop), accept);
        });
  }

  private void accept(ConnectionRequest request, Path path, ByteBuffer answer) {
    session.failover().add(path);
    request.accept(endpoint.qpOptions(domain, path.loop()), answer, path);
  }

  private void expire() {
    if (!confirmed) {
      session.end(
          new MaestroException.Refused(
              session.context().peer() + " did not prove in time that it knows the secret", null));
    }
  }

  /** A further path, or one anew. Any thread. */
  void join(ConnectionRequest request) {
    Join join = keys.verifyJoin(request.privateData());
    if (!session.later(() -> join(request, join))) {
      reject(request, "the session has ended");
    }
  }

  private void join(ConnectionRequest request, Join join) {
    Path before = session.paths().get(join.pathId());
    if (!session.isOpen() || join.pathId() >= keys.parameters().paths()) {
      reject(request, "the session has no such path, or is ending");
    } else if (before == null || session.failover().isGone(before)) {
      accept(request, join);
    } else {
      // the peer has given it up, and this side must not let anything land through it any more
      Successor earlier = successors.put(before, new Successor(request, join));
      if (earlier != null) {
        reject(earlier.request(), "a later attempt came");
      }
      before.lose(
          new VerbsException(
              VerbsException.Kind.PEER_CLOSED, "the peer has connected the path anew"));
    }
  }

  /** A queue pair that measures a path. Any thread. */
  void measure(ConnectionRequest request) {
    ByteBuffer meter = keys.verifyMeter(request.privateData());
    boolean alive =
        session.later(
            () -> {
              if (confirmed && session.isOpen()) {
                meters.accept(request, meter, keys);
              } else {
                reject(request, "the session is not open");
              }
            });
    if (!alive) {
      reject(request, "the session has ended");
    }
  }

  /** Refuses a connection with a reason that the peer is told. */
  static void reject(ConnectionRequest request, String reason) {
    request.reject(ByteBuffer.wrap(reason.getBytes(StandardCharsets.UTF_8)));
  }

  private void accept(ConnectionRequest request, Join join) {
    boolean own = join.pathId() % endpoint.device().loops().size() == 0;
    EventLoop pathLoop = own ? loop : endpoint.nextLoop();
    Path path =
        new Path(endpoint.pathOptions(join.pathId(), join.generation(), domain), session, pathLoop);
    accept(request, path, keys.joinAccept(join));
  }

  @Override
  public boolean onPathConnected(Path path, ByteBuffer privateData) {
    LOG.debug("path {} of {} is connected", path.id(), session.context().peer());
    return true;
  }

  @Override
  public void onPathLost(Path path, Throwable cause) {
    Successor next = successors.remove(path);
    if (next != null) {
      // when this generation of the path is forgotten
      loop.execute(() -> join(next.request(), next.join()));
    }
  }

  @Override
  public boolean connects() {
    return false;
  }

  @Override
  public void connectAnew(int pathId, int generation) {
    throw new IllegalStateException("the connecting side does that");
  }

  @Override
  public void onConfirm(byte[] proof) {
    if (!keys.isConfirm(ByteBuffer.wrap(proof))) {
      throw new ProtocolViolation("its proof is wrong");
    }
    if (!confirmed) {
      confirmed = true;
      session.opened();
      long sendTimeoutNs = endpoint.config().timeouts().send().toNanos();
      SessionConnection connection =
          new SessionConnection(session, PathInsight.ofAccepted(), sendTimeoutNs);
      endpoint.opened(session, connection);
      acceptor.offer(connection, session);
    }
  }

  @Override
  public void onEnd(@Nullable MaestroException failure) {
    meters.end();
    acceptor.remove(keys.id());
    endpoint.remove(session, failure);
    successors.values().forEach(next -> reject(next.request(), "the session has ended"));
    successors.clear();
  }

  /** Closes in order. Any thread. */
  Mono<Void> close() {
    session.later(session::close);
    return session.onClose().onErrorComplete();
  }
}
