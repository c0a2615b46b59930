package io.maestro.session;

import io.maestro.api.Connection.RemoteAccess;
import io.maestro.api.MaestroException;
import io.maestro.api.Region;
import io.maestro.api.RemoteRegion;
import io.maestro.verbs.Access;
import io.maestro.verbs.EventLoop;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.MonoSink;

/** One-sided reads and writes, and the regions that the peer may use so. */
final class OneSided {
  private final SessionContext context;
  private final FanOut fanOut;
  private final long timeoutNs;
  private final Map<Integer, Export> exports = new ConcurrentHashMap<>();

  private record Export(Region region, MemoryRegion registered) {
    void end() {
      registered.close();
      region.release();
    }
  }

  /** A transfer that the user asked for: all of a local region, and as much of a remote one. */
  record Request(Transfer.Kind kind, Region local, RemoteRegion remote, long offset) {
    void check() {
      if (offset < 0 || local.size() > remote.size() - offset) {
        throw new MaestroException.AccessDenied(
            "%d bytes at offset %d are outside the remote region of %d bytes"
                .formatted(local.size(), offset, remote.size()),
            null);
      }
    }
  }

  OneSided(SessionContext context, FanOut fanOut, long timeoutNs) {
    this.context = context;
    this.fanOut = fanOut;
    this.timeoutNs = timeoutNs;
  }

  /** Any thread. */
  RemoteRegion export(Region region, Set<RemoteAccess> access) {
    ProtectionDomain domain = context.domain();
    region.retain();
    MemoryRegion registered = domain.register(region.segment(), verbs(access));
    exports.put(registered.rkey(), new Export(region, registered));
    return new RemoteRegion(registered.remoteAddress(), region.size(), registered.rkey());
  }

  private static Set<Access> verbs(Set<RemoteAccess> access) {
    EnumSet<Access> rights = EnumSet.noneOf(Access.class);
    for (RemoteAccess right : access) {
      rights.add(right == RemoteAccess.READ ? Access.REMOTE_READ : Access.REMOTE_WRITE);
    }
    return rights;
  }

  /** Any thread. */
  void revoke(RemoteRegion handle) {
    revoke(handle.key());
  }

  private void revoke(int key) {
    Export export = exports.remove(key);
    if (export != null) {
      export.end();
    }
  }

  /** Starts a checked transfer. Session's loop. */
  void start(Request request, MonoSink<Void> sink) {
    Region local = request.local();
    if (local.size() == 0) {
      sink.success();
      return;
    }
    Transfer[] self = new Transfer[1];
    Transfer transfer =
        new Transfer(
            new Transfer.Plan(
                request.kind(), new Chunking(local.size(), context.parameters().chunkBytes()), 0),
            context.registrations().acquire(local),
            new Transfer.Target(
                Transfer.NO_SLOT,
                request.remote().address() + request.offset(),
                request.remote().key()),
            failure -> {
              fanOut.remove(self[0]);
              context.registrations().release(local);
              if (failure == null) {
                sink.success();
              } else {
                sink.error(failure);
              }
            });
    self[0] = transfer;
    EventLoop.Timer deadline =
        context.loop().schedule(timeoutNs, () -> transfer.stop(overdue(request)));
    sink.onDispose(deadline::cancel);
    sink.onCancel(
        () ->
            Tasks.execute(
                context.loop(), () -> transfer.stop(new MaestroException.Closed("cancelled"))));
    fanOut.add(transfer);
  }

  private MaestroException overdue(Request request) {
    return new MaestroException.DeadlineExceeded(
        "a one-sided %s of %d bytes with %s took longer than %d ms"
            .formatted(
                request.kind(), request.local().size(), context.peer(), timeoutNs / 1_000_000));
  }

  /** The session has ended. */
  void end() {
    List.copyOf(exports.keySet()).forEach(this::revoke);
  }
}
