package io.maestro.session;

import io.maestro.api.MaestroException;
import io.maestro.verbs.EventLoop;
import java.nio.ByteBuffer;
import java.util.List;
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
final class Session implements PathOwner {
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
  private final Sinks.Empty<Void> closed = Sinks.empty();
  private final Runnable run = this::run;
  private final Runnable unsubscribeBudget;
  private State state = State.OPENING;
  private boolean runScheduled;
  private boolean ticking;
  private boolean byeSaid;
  private boolean finished;
  private @Nullable Ending ending;
  private @Nullable Throwable firstLoss;

  /** How the session ends: for what is pending, and for the session; null means in order. */
  private record Ending(MaestroException forPending, @Nullable MaestroException failure) {}

  Session(SessionContext context, SessionOptions options, SessionEvents events) {
    this.context = context;
    this.options = options;
    this.events = events;
    SessionParameters parameters = context.parameters();
    slots = new SlotTable<>(parameters.maxMessages());
    paths = new PathTable(parameters.chunkBytes(), options.windowBytes(), options.maxChunks());
    controls = new ControlPlane(paths);
    fanOut = new FanOut(paths);
    outbound = new Outbound(context, controls, fanOut);
    inbound = new Inbound(context, controls, slots, this::later);
    oneSided = new OneSided(context, fanOut, options.sendTimeoutNs());
    pathLoss = new PathLoss(paths, controls, fanOut);
    unsubscribeBudget = context.budget().onRoom(() -> later(inbound::place));
  }

  // ---- parts, for the connection that users see

  SessionContext context() {
    return context;
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

  /** Any thread. */
  Mono<Void> onClose() {
    return closed.asMono();
  }

  // ---- work

  /**
   * Runs a task on the session's loop and then moves what can move; false when the loop has ended.
   * Any thread.
   */
  boolean later(Runnable task) {
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
    if (state == State.CLOSING && quiet()) {
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

  /** Takes a path before it is connected. */
  void add(Path path) {
    paths.add(path);
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
    paths.up(path);
    events.onPathUp(path, privateData);
    scheduleRun();
  }

  @Override
  public void onPathClosed(Path path, Throwable cause) {
    onReturns(path);
    boolean wasUp = path.progress().local() != null;
    paths.down(path);
    if (firstLoss == null) {
      firstLoss = cause;
    }
    if (state == State.CLOSED) {
      pathLoss.abandon(path);
    } else {
      pathLoss.onLost(path, cause);
      events.onPathLost(path, cause);
      if (wasUp && paths.countUp() == 0) {
        end(state == State.CLOSING ? null : lost(cause));
      }
    }
    finishIfGone();
    scheduleRun();
  }

  private MaestroException lost(Throwable last) {
    Throwable first = firstLoss == null ? last : firstLoss;
    return new MaestroException.ConnectionLost(
        "the connection to %s has lost its last path: %s"
            .formatted(context.peer(), first.getMessage()),
        first);
  }

  @Override
  public void onReturns(Path path) {
    Object done;
    while ((done = path.pollReturned()) != null) {
      if (done instanceof Chunk chunk) {
        fanOut.acknowledged(path.id(), chunk);
      } else if (done instanceof Envelope envelope) {
        paths.confirmed(path.id());
        if (envelope.onConfirmed() != null) {
          envelope.onConfirmed().run();
        }
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
        release(control);
      } else {
        dispatch(control);
      }
    } catch (ProtocolViolation violation) {
      release(control);
      end(
          new MaestroException.Refused(
              "%s broke the protocol: %s".formatted(context.peer(), violation.getMessage()),
              violation));
    }
    scheduleRun();
  }

  private static void release(Control control) {
    if (control instanceof Control.Eager eager && eager.lease() != null) {
      eager.lease().release();
    }
  }

  private void dispatch(Control control) {
    boolean first = control instanceof Control.Confirm || control instanceof Control.Fence;
    if (state == State.OPENING && !options.client() && !first) {
      throw new ProtocolViolation("a message came before the proof of who sends it");
    }
    switch (control) {
      case Control.Confirm c -> events.onConfirm(c.proof());
      case Control.Credit c -> outbound.onCredit(c.total());
      case Control.Eager c -> inbound.onEager(c);
      case Control.Rts c -> inbound.onRts(c);
      case Control.Cts c -> outbound.onCts(c);
      case Control.Cancel c -> inbound.onCancel(c);
      case Control.Abort c -> outbound.onAbort(c);
      case Control.Bye c -> onBye();
      case Control.Fence c -> pathLoss.onFence(c);
      case Control.Fenced c -> pathLoss.onFenced(c);
    }
  }

  // ---- opening, closing

  /** Both sides know each other: messages may flow. */
  void opened() {
    if (state == State.OPENING) {
      state = State.OPEN;
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

  private boolean quiet() {
    return outbound.idle() && fanOut.idle() && controls.idle();
  }

  private void sayBye() {
    if (!byeSaid) {
      byeSaid = true;
      controls.send(new Control.Bye(), () -> end(null));
      scheduleRun();
    }
  }

  private void onBye() {
    if (state == State.CLOSING) {
      end(null);
    } else {
      endWith(
          new MaestroException.ConnectionLost(context.peer() + " has closed the connection", null),
          null);
    }
  }

  /** Ends at once: every pending publisher fails, every path closes. Null means in order. */
  void end(@Nullable MaestroException failure) {
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
    ending = new Ending(forPending, failure);
    List<Path> all = paths.all();
    all.forEach(Path::close);
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
    inbound.end();
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
