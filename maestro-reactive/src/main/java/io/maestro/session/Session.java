package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.verbs.EventLoop;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

/**
 * The state of one session: wires its parts and moves it from opening to open, closing and closed.
 * Everything happens on the session's loop unless a method says otherwise.
 */
final class Session implements PathOwner, FailoverHost {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);

  private enum State {
    OPENING,
    OPEN,
    CLOSING,
    CLOSED
  }

  private final SessionContext context;
  private final SessionOptions options;
  private final SessionEvents events;
  private final SlotTable<InMessage> slots;
  private final PathTable paths;
  private final ControlPlane controls;
  private final FanOut fanOut;
  private final Outbound outbound;
  private final Inbound inbound;
  private final OneSided oneSided;
  private final PathLoss pathLoss;
  private final Failover failover;
  private final ControlRouter router;
  private final Sinks.Empty<Void> closed = Sinks.empty();
  private final Runnable run = this::run;
  private final Runnable unsubscribeBudget;
  private State state = State.OPENING;
  private boolean runScheduled;
  private boolean ticking;
  private boolean byeSaid;
  private boolean finished;
  private @Nullable Ending ending;

  /** How the session ends: for what is pending, and for the session; null means in order. */
  private record Ending(MaestroException forPending, @Nullable MaestroException failure) {}

  Session(SessionContext context, SessionOptions options, SessionEvents events) {
    this.context = context;
    this.options = options;
    this.events = events;
    slots = new SlotTable<>(context.parameters().maxMessages());
    paths = new PathTable(options.maxChunks());
    controls = new ControlPlane(paths);
    fanOut = new FanOut(paths, new Balance(context, options, paths));
    outbound = new Outbound(context, controls, fanOut);
    inbound = new Inbound(context, controls, slots, this::later);
    oneSided = new OneSided(context, fanOut, options.sendTimeoutNs());
    pathLoss = new PathLoss(controls, fanOut);
    failover =
        new Failover(
            context, options.failover(), this, new Failover.Parts(paths, pathLoss, events));
    router = new ControlRouter(this, outbound, inbound, failover);
    unsubscribeBudget = context.budget().onRoom(() -> later(inbound::place));
  }

  // ---- parts, for the connection that users see

  SessionContext context() {
    return context;
  }

  long credits() {
    return outbound.credits();
  }

  SessionEvents events() {
    return events;
  }

  boolean isClient() {
    return options.client();
  }

  MessageFlux messages() {
    return inbound.messages();
  }

  OneSided oneSided() {
    return oneSided;
  }

  PathTable paths() {
    return paths;
  }

  FanOut fanOut() {
    return fanOut;
  }

  Failover failover() {
    return failover;
  }

  /** Any thread. */
  Mono<Void> onClose() {
    return closed.asMono();
  }

  // ---- work

  /**
   * Runs a task on the session's loop and then moves what can move; false when the loop has ended.
   * Any thread.
   */
  @Override
  public boolean later(Runnable task) {
    return Tasks.execute(
        context.loop(),
        () -> {
          task.run();
          scheduleRun();
        });
  }

  /** Submits a message, or fails it when the session is past sending. */
  void submit(OutMessage message) {
    if (state == State.OPENING || state == State.OPEN) {
      outbound.submit(message);
      startTicking();
    } else {
      message.fail(pastSending());
      message.end();
    }
  }

  /** Starts a one-sided transfer. */
  void move(OneSided.Request request, MonoSink<Void> sink) {
    if (isOpen()) {
      oneSided.start(request, sink);
    } else {
      sink.error(pastSending());
    }
  }

  private MaestroException pastSending() {
    Ending how = ending;
    return how != null ? how.forPending() : Failures.closed(context.peer());
  }

  void cancel(OutMessage message) {
    outbound.cancel(message);
  }

  boolean isOpen() {
    return state == State.OPENING || state == State.OPEN;
  }

  private void scheduleRun() {
    if (!runScheduled) {
      runScheduled = true;
      context.loop().execute(run);
    }
  }

  private void run() {
    runScheduled = false;
    if (state == State.CLOSED) {
      return;
    }
    controls.run();
    fanOut.run();
    failover.busy();
    if (state == State.CLOSING && outbound.idle() && fanOut.idle() && controls.idle()) {
      sayBye();
    }
  }

  private void startTicking() {
    if (!ticking) {
      ticking = true;
      context.loop().schedule(options.tickNs(), this::tick);
    }
  }

  private void tick() {
    ticking = false;
    if (state != State.CLOSED) {
      outbound.tick(context.loop().nanoTime());
      scheduleRun();
      if (!outbound.idle()) {
        startTicking();
      }
    }
  }

  // ---- paths

  @Override
  public boolean isOpening() {
    return state == State.OPENING;
  }

  @Override
  public boolean wantsPaths() {
    return state == State.OPEN || (state == State.CLOSING && !byeSaid);
  }

  @Override
  public EventLoop loop() {
    return context.loop();
  }

  @Override
  public SlotTable<InMessage> slots() {
    return slots;
  }

  @Override
  public RegionPool pool() {
    return context.pool();
  }

  @Override
  public void onPathUp(Path path, ByteBuffer privateData) {
    if (state == State.CLOSED) {
      path.close();
      return;
    }
    failover.onConnected(path, privateData);
    scheduleRun();
  }

  @Override
  public void onPathClosed(Path path, Throwable cause) {
    onReturns(path);
    if (state == State.CLOSED) {
      paths.down(path);
      pathLoss.abandon(path);
    } else {
      failover.onClosed(path, cause);
      if (byeSaid && paths.countUp() == 0) {
        end(null);
      }
    }
    finishIfGone();
    scheduleRun();
  }

  @Override
  public void onPinged(Path path) {
    failover.onPinged(path);
  }

  @Override
  public void onSilent(Path path) {
    if (state != State.CLOSED) {
      failover.onSilent(path);
    }
  }

  @Override
  public void onReturns(Path path) {
    Object done;
    while ((done = path.pollReturned()) != null) {
      if (done instanceof Chunk chunk) {
        fanOut.acknowledged(path.id(), chunk);
      } else if (done instanceof Envelope envelope) {
        controls.confirmed(path, envelope);
      }
    }
    scheduleRun();
  }

  @Override
  public void onReassembled(InMessage message) {
    if (state != State.CLOSED) {
      inbound.onReassembled(message);
      scheduleRun();
    }
  }

  // ---- control messages

  @Override
  public void onControl(long controlSeq, Control control) {
    try {
      if (state == State.CLOSED || !controls.accept(controlSeq)) {
        ControlRouter.release(control);
      } else {
        router.route(control);
      }
    } catch (ProtocolViolation violation) {
      ControlRouter.release(control);
      end(
          new MaestroException.Refused(
              "%s broke the protocol: %s".formatted(context.peer(), violation.getMessage()),
              violation));
    }
    scheduleRun();
  }

  // ---- opening, closing

  /** Both sides know each other: messages may flow. */
  void opened() {
    if (state == State.OPENING) {
      state = State.OPEN;
      failover.opened();
      scheduleRun();
    }
  }

  /** Sends a control message. */
  void send(Control control, Runnable onConfirmed) {
    controls.send(control, onConfirmed);
    scheduleRun();
  }

  /** Closes in order: lets the sends under way finish, at most until the close timeout. */
  void close() {
    if (isOpen()) {
      state = State.CLOSING;
      context.loop().schedule(options.closeTimeoutNs(), () -> end(null));
      scheduleRun();
    }
  }

  private void sayBye() {
    if (!byeSaid) {
      byeSaid = true;
      if (paths.countUp() == 0) {
        end(null);
        return;
      }
      controls.send(new Control.Bye(), () -> end(null));
      scheduleRun();
    }
  }

  /** The peer closes in order. */
  void onBye() {
    if (state == State.CLOSING) {
      end(null);
    } else {
      endWith(
          new MaestroException.ConnectionLost(context.peer() + " has closed the connection", null),
          null);
    }
  }

  /** Ends at once: every pending publisher fails, every path closes. Null means in order. */
  @Override
  public void end(@Nullable MaestroException failure) {
    endWith(failure == null ? Failures.closed(context.peer()) : failure, failure);
  }

  private void endWith(MaestroException forPending, @Nullable MaestroException failure) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    if (failure != null) {
      LOG.debug("session with {} ended", context.peer(), failure);
    }
    unsubscribeBudget.run();
    failover.end();
    ending = new Ending(forPending, failure);
    paths.all().forEach(Path::close);
    finishIfGone();
  }

  /** When no path can touch memory any more, everything is given back and everybody told. */
  private void finishIfGone() {
    Ending how = ending;
    if (finished || how == null || !pathLoss.allGone(paths.all())) {
      return;
    }
    finished = true;
    pathLoss.dropFenced();
    outbound.failAll(how.forPending());
    fanOut.stopAll(how.forPending());
    inbound.end(how.forPending());
    oneSided.end();
    inbound.messages().end(how.failure());
    context.domain().close();
    events.onEnd(how.failure());
    if (how.failure() == null) {
      closed.tryEmitEmpty();
    } else {
      closed.tryEmitError(how.failure());
    }
  }
}
