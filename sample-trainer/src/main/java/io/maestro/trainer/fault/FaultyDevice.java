package io.maestro.trainer.fault;

import io.maestro.verbs.ConnectOptions;
import io.maestro.verbs.ConnectionRequest;
import io.maestro.verbs.ConnectionRequestHandler;
import io.maestro.verbs.Device;
import io.maestro.verbs.DeviceLimits;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.ListenOptions;
import io.maestro.verbs.Listener;
import io.maestro.verbs.ProtectionDomain;
import io.maestro.verbs.QpOptions;
import io.maestro.verbs.QueuePairHandler;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

/** A device whose queue pairs obey the faults of a board. */
final class FaultyDevice implements Device, FaultBoard.Listener {

  private final Device inner;
  private final FaultBoard board;
  private final Set<Faulty> pairs = ConcurrentHashMap.newKeySet();

  FaultyDevice(Device inner, FaultBoard board) {
    this.inner = inner;
    this.board = board;
    board.listen(this);
  }

  /** What is told of changes and of the device's end, on its loop. */
  interface Faulty {
    EventLoop loop();

    /** The fault is another one. */
    void changed();

    /** The device is closed: nothing may be held any more. */
    void released();
  }

  @Override
  public void faultsChanged() {
    pairs.forEach(pair -> later(pair, pair::changed));
  }

  @Override
  public DeviceLimits limits() {
    return inner.limits();
  }

  @Override
  public List<EventLoop> loops() {
    return inner.loops();
  }

  @Override
  public boolean hasVirtualTime() {
    return inner.hasVirtualTime();
  }

  @Override
  public ProtectionDomain allocateDomain() {
    return inner.allocateDomain();
  }

  @Override
  public Listener listen(ListenOptions options, ConnectionRequestHandler handler) {
    return inner.listen(
        options,
        request -> {
          FaultBoard.Link link = board.link(request.remote().getAddress());
          if (!link.fault().cuts()) {
            handler.onRequest(new Request(request, link));
          }
          // Else it has never arrived: the peer's deadline ends it.
        });
  }

  @Override
  public void connect(ConnectOptions options, QueuePairHandler handler) {
    FaultBoard.Link link = board.link(options.local().getAddress());
    if (link.fault().cuts()) {
      var attempt = new LostAttempt(options, handler, pairs::remove);
      pairs.add(attempt);
      attempt.start();
    } else {
      inner.connect(options, pair(options.qp(), link, handler));
    }
  }

  private FaultyPairHandler pair(
      QpOptions options, FaultBoard.Link link, QueuePairHandler handler) {
    var pair = new FaultyPairHandler(options, link, handler, pairs::remove);
    pairs.add(pair);
    return pair;
  }

  @Override
  public void close() {
    board.forget(this);
    pairs.forEach(pair -> later(pair, pair::released));
    inner.close();
  }

  private static void later(Faulty pair, Runnable task) {
    try {
      pair.loop().execute(task);
    } catch (RejectedExecutionException e) {
      // The loop has ended, and with it everything that could have failed.
    }
  }

  /** A request whose queue pair obeys the faults of its peer's virtual NIC. */
  private final class Request implements ConnectionRequest {
    private final ConnectionRequest request;
    private final FaultBoard.Link link;

    Request(ConnectionRequest request, FaultBoard.Link link) {
      this.request = request;
      this.link = link;
    }

    @Override
    public InetSocketAddress local() {
      return request.local();
    }

    @Override
    public InetSocketAddress remote() {
      return request.remote();
    }

    @Override
    public ByteBuffer privateData() {
      return request.privateData();
    }

    @Override
    public void accept(QpOptions options, ByteBuffer privateData, QueuePairHandler handler) {
      request.accept(options, privateData, pair(options, link, handler));
    }

    @Override
    public void reject(ByteBuffer privateData) {
      request.reject(privateData);
    }
  }
}
