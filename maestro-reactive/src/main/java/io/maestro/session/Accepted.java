package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.api.RouteReport;
import io.maestro.verbs.ConnectionRequest;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ProtectionDomain;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** One accepted session, from its first path to its end. */
final class Accepted implements SessionEvents {
  private static final Logger LOG = LoggerFactory.getLogger(Accepted.class);

  private static final RouteReport CHOSEN_BY_THE_PEER =
      RouteReport.unknown("the connecting side chose the route");

  private final Endpoint endpoint;
  private final Acceptor acceptor;
  private final SessionKeys keys;
  private final ProtectionDomain domain;
  private final EventLoop loop;
  private final Session session;
  private volatile boolean confirmed;

  Accepted(Endpoint endpoint, Acceptor acceptor, SessionKeys keys, InetSocketAddress remote) {
    this.endpoint = endpoint;
    this.acceptor = acceptor;
    this.keys = keys;
    this.domain = endpoint.device().allocateDomain();
    this.loop = endpoint.nextLoop();
    String peer = "%s at %s".formatted(keys.peerName(), remote);
    this.session =
        new Session(
            endpoint.context(loop, keys.parameters(), peer, domain),
            endpoint.sessionOptions(false),
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
    session.add(path);
    request.accept(endpoint.qpOptions(domain, path.loop()), answer, path);
  }

  private void expire() {
    if (!confirmed) {
      session.end(
          new MaestroException.Refused(
              session.context().peer() + " did not prove in time that it knows the secret", null));
    }
  }

  /** A further path. Any thread. */
  void join(ConnectionRequest request) {
    Join join = keys.verifyJoin(request.privateData());
    session.later(
        () -> {
          boolean known = session.paths().get(join.pathId()) != null;
          if (!session.isOpen() || known || join.pathId() >= keys.parameters().paths()) {
            request.reject(
                ByteBuffer.wrap("no such path is missing".getBytes(StandardCharsets.UTF_8)));
            return;
          }
          boolean own = join.pathId() % endpoint.device().loops().size() == 0;
          EventLoop pathLoop = own ? loop : endpoint.nextLoop();
          Path path =
              new Path(
                  endpoint.pathOptions(join.pathId(), join.generation(), domain),
                  session,
                  pathLoop);
          accept(request, path, keys.joinAccept(join));
        });
  }

  @Override
  public void onPathUp(Path path, ByteBuffer privateData) {
    LOG.debug("path {} of {} is up", path.id(), session.context().peer());
  }

  @Override
  public void onPathLost(Path path, Throwable cause) {
    LOG.info(
        "path {} of the connection from {} is down: {}",
        path.id(),
        session.context().peer(),
        cause.getMessage());
  }

  @Override
  public void onConfirm(byte[] proof) {
    if (!keys.isConfirm(ByteBuffer.wrap(proof))) {
      throw new ProtocolViolation("its proof is wrong");
    }
    if (!confirmed) {
      confirmed = true;
      session.opened();
      acceptor.offer(
          new SessionConnection(
              session, id -> CHOSEN_BY_THE_PEER, endpoint.config().timeouts().send().toNanos()),
          session);
    }
  }

  @Override
  public void onEnd(@Nullable MaestroException failure) {
    acceptor.remove(keys.id());
    endpoint.remove(session);
  }

  /** Closes in order. Any thread. */
  Mono<Void> close() {
    session.later(session::close);
    return session.onClose().onErrorComplete();
  }
}
