package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.net.PathPlan;
import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.MonoSink;

/**
 * Opens one session: the first path that a remote answers on carries the handshake, the others join
 * it, and when each is up or has failed the proof is sent and the connection handed out. Session's
 * loop only.
 */
final class Connector implements PathOwner, SessionEvents {
  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  private final Endpoint endpoint;
  private final List<InetSocketAddress> remotes;
  private final Planning planning;
  private final PathPlans plans;
  private final MonoSink<Connection> sink;
  private final EventLoop loop;
  private final ProtectionDomain domain;
  private final ClientHandshake handshake;
  private final Map<Integer, ByteBuffer> joins = new HashMap<>();
  private volatile @Nullable Session session;
  private @Nullable SessionKeys keys;
  private EventLoop.@Nullable Timer deadline;
  private @Nullable RouteReview review;
  private long deadlineNs;
  private int pending;
  private boolean over;

  Connector(Endpoint endpoint, List<InetSocketAddress> remotes, MonoSink<Connection> sink) {
    this.endpoint = endpoint;
    this.remotes = remotes;
    this.sink = sink;
    this.loop = endpoint.nextLoop();
    this.planning = new Planning(endpoint, remotes, loop);
    this.plans = planning.plans();
    this.domain = endpoint.device().allocateDomain();
    this.handshake =
        new ClientHandshake(
            endpoint.config().security().secret(),
            endpoint.name(),
            endpoint.offer(),
            endpoint.random());
  }

  void start() {
    sink.onCancel(() -> Tasks.execute(loop, () -> fail(closed("connecting was cancelled"))));
    if (!Tasks.execute(loop, this::begin)) {
      sink.error(closed("this Maestro is closed"));
    }
  }

  private static MaestroException closed(String message) {
    return new MaestroException.Closed(message);
  }

  private void begin() {
    long timeoutNs = timeoutNs();
    deadlineNs = loop.nanoTime() + timeoutNs;
    deadline =
        loop.schedule(
            timeoutNs,
            () ->
                fail(
                    new MaestroException.ConnectFailed(
                        "no session with %s within %d ms".formatted(remotes, timeoutNs / 1_000_000),
                        null)));
    planning.all(this::onPlanned);
  }

  private void onPlanned() {
    if (!over) {
      connectFirst();
    }
  }

  private long timeoutNs() {
    return endpoint.config().timeouts().connect().toNanos();
  }

  private void connectFirst() {
    Path path = new Path(endpoint.pathOptions(0, 0, domain), this, loop);
    // a silent remote leaves time for the others, and for the other paths
    long leftNs = leftNs();
    connect(
        path, handshake.connect(), remotes.size() == 1 ? leftNs : leftNs / (remotes.size() + 1));
  }

  private long leftNs() {
    return Math.max(1, deadlineNs - loop.nanoTime());
  }

  private void connect(Path path, ByteBuffer privateData, long limitNs) {
    PathPlan plan = plans.of(path.id());
    endpoint
        .device()
        .connect(
            new ConnectOptions(
                plan.local(),
                plan.remote(),
                endpoint.qpOptions(domain, path.loop()),
                privateData,
                limitNs),
            path);
  }

  // ---- the first path, before there is a session

  @Override
  public EventLoop loop() {
    return loop;
  }

  @Override
  public RegionPool pool() {
    return endpoint.pool();
  }

  @Override
  public SlotTable<InMessage> slots() {
    return opened().slots();
  }

  private Session opened() {
    Session current = session;
    if (current == null) {
      throw new ProtocolViolation("a message came before the session was open");
    }
    return current;
  }

  @Override
  public void onPathUp(Path path, ByteBuffer privateData) {
    try {
      keys = handshake.onAccept(privateData);
    } catch (HandshakeException refused) {
      path.close();
      fail(new MaestroException.Refused(where() + ": " + refused.getMessage(), refused));
      return;
    }
    open(path, keys);
  }

  private String where() {
    return plans.of(0).remote().toString();
  }

  private void open(Path first, SessionKeys agreed) {
    String peer = "%s at %s".formatted(agreed.peerName(), where());
    Session opened =
        new Session(
            endpoint.context(loop, agreed.parameters(), peer, domain),
            endpoint.sessionOptions(true, loop),
            this);
    session = opened;
    endpoint.add(opened);
    int paths = agreed.parameters().paths();
    pending = paths;
    opened.failover().add(first);
    opened.onPathUp(first, ByteBuffer.allocate(0));
    long limitNs = Math.max(1, leftNs() / 2);
    for (int id = 1; id < paths; id++) {
      boolean own = id % endpoint.device().loops().size() == 0;
      EventLoop pathLoop = own ? loop : endpoint.nextLoop();
      join(new Path(endpoint.pathOptions(id, 0, domain), opened, pathLoop), limitNs);
    }
  }

  private void join(Path path, long limitNs) {
    int id = path.id();
    if (keys == null) {
      throw new IllegalStateException("there is no session to join");
    }
    ByteBuffer join = keys.join(id, path.generation());
    joins.put(id, join);
    opened().failover().add(path);
    connect(path, join, limitNs);
  }

  @Override
  public boolean connects() {
    return true;
  }

  @Override
  public void connectAnew(int id, int generation) {
    int paths = opened().context().parameters().paths();
    planning.again(id, paths, () -> rebuild(id, generation));
  }

  private void rebuild(int id, int generation) {
    if (!opened().wantsPaths()) {
      return;
    }
    Path before = opened().paths().get(id);
    if (before == null) {
      throw new IllegalStateException("there was no path " + id);
    }
    Path path = new Path(endpoint.pathOptions(id, generation, domain), opened(), before.loop());
    try {
      join(path, endpoint.attemptNs());
    } catch (IllegalStateException closed) {
      opened().onPathClosed(path, closed); // the device is closed: the session is about to end
    }
  }

  @Override
  public void onPathClosed(Path path, Throwable cause) {
    Session current = session;
    if (current != null) {
      current.onPathClosed(path, cause);
    } else if (!over && tryNext(cause)) {
      LOG.info("trying {}: {}", where(), cause.getMessage());
      connectFirst();
    } else {
      fail(Failures.translate("cannot connect to " + remotes, withReason(cause)));
      domain.close();
    }
  }

  private boolean tryNext(Throwable cause) {
    VerbsException.Kind kind = cause instanceof VerbsException verbs ? verbs.kind() : null;
    if (kind == VerbsException.Kind.ADDRESS_IN_USE && plans.isPlanned(0)) {
      plans.replace(0, null); // somebody took the port since it was chosen
      return true;
    }
    return kind != VerbsException.Kind.REJECTED && plans.tryNextRemote();
  }

  /** A rejecting Maestro says why in its private data. */
  private static Throwable withReason(Throwable cause) {
    if (cause instanceof VerbsException verbs && verbs.privateData().hasRemaining()) {
      String reason = StandardCharsets.UTF_8.decode(verbs.privateData()).toString();
      return new VerbsException(verbs.kind(), verbs.getMessage() + ": " + reason, cause);
    }
    return cause;
  }

  @Override
  public void onControl(long controlSeq, Control control) {
    opened().onControl(controlSeq, control);
  }

  @Override
  public void onPinged(Path path) {
    opened().onPinged(path);
  }

  @Override
  public void onSilent(Path path) {
    opened().onSilent(path);
  }

  @Override
  public void onReturns(Path path) {
    opened().onReturns(path);
  }

  @Override
  public void onReassembled(InMessage message) {
    opened().onReassembled(message);
  }

  // ---- the session's events

  @Override
  public boolean onPathConnected(Path path, ByteBuffer answer) {
    ByteBuffer join = joins.get(path.id());
    if (join != null && (keys == null || !keys.isJoinAccept(join, answer))) {
      return false; // it comes back as lost
    }
    joins.remove(path.id());
    resolve();
    lookAgain();
    return true;
  }

  @Override
  public void onPathLost(Path path, Throwable cause) {
    if (!over) {
      LOG.info(
          "path {} of the new connection to {} did not come up: {}",
          path.id(),
          opened().context().peer(),
          cause.getMessage());
    }
    if (joins.remove(path.id()) != null) {
      resolve();
    }
    lookAgain();
  }

  private void lookAgain() {
    if (review != null) {
      review.soon();
    }
  }

  private void resolve() {
    SessionKeys agreed = keys;
    if (!over && --pending == 0 && agreed != null) {
      opened().send(new Control.Confirm(agreed.confirmProof()), this::onConfirmed);
    }
  }

  private void onConfirmed() {
    if (!over) {
      over = true;
      stopDeadline();
      opened().opened();
      sayWhatCanFail();
      review = new RouteReview(planning, opened(), endpoint.config().routing().review());
      long sendTimeoutNs = endpoint.config().timeouts().send().toNanos();
      Connection connection = new SessionConnection(opened(), insight(), sendTimeoutNs);
      endpoint.opened(opened(), connection);
      sink.success(connection);
    }
  }

  private PathInsight insight() {
    if (keys == null) {
      throw new IllegalStateException("there is no session");
    }
    return new Measurements(endpoint, planning, opened(), keys);
  }

  private void sayWhatCanFail() {
    SessionContext context = opened().context();
    if (context.parameters().paths() == 1) {
      LOG.info(
          "the connection to {} has one path only: when that fails, messages wait until it is back"
              + " or the reconnect timeout passes; set paths to 2 or more for failover",
          context.peer());
    }
  }

  @Override
  public void onConfirm(byte[] proof) {
    throw new ProtocolViolation("the accepting side sent a proof");
  }

  @Override
  public void onEnd(@Nullable MaestroException failure) {
    planning.stop();
    if (review != null) {
      review.stop();
    }
    endpoint.remove(opened(), failure);
    fail(failure == null ? closed("the peer closed while connecting") : failure);
  }

  private void fail(MaestroException reason) {
    if (over) {
      return;
    }
    over = true;
    stopDeadline();
    planning.stop();
    sink.error(reason);
    Session current = session;
    if (current != null) {
      current.end(reason);
    }
  }

  private void stopDeadline() {
    EventLoop.Timer timer = deadline;
    if (timer != null) {
      timer.cancel();
    }
  }
}
