package io.maestro.session;

import io.maestro.api.Connection;
import io.maestro.api.MaestroException;
import io.maestro.api.Message;
import io.maestro.api.Region;
import io.maestro.api.SendOptions;
import io.maestro.verbs.sim.SimFabric;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Every message of a simulated run, and the rules that each must keep to. */
final class Ledger {
  /** Deadlines are looked at every 50 ms. */
  private static final long LATENESS_NS = 60_000_000;

  private final SimFabric fabric;
  private final World world;
  private final Map<Side, Map<Integer, Parcel>> parcels = new EnumMap<>(Side.class);
  private final Map<Side, Long> cancelledNs = new EnumMap<>(Side.class);
  private final Map<Side, Long> frozenNs = new EnumMap<>(Side.class);
  private final List<String> violations = new ArrayList<>();
  private boolean anyRevoked;
  private int open;

  Ledger(SimFabric fabric, World world) {
    this.fabric = fabric;
    this.world = world;
    for (Side side : Side.values()) {
      parcels.put(side, new HashMap<>());
      cancelledNs.put(side, -1L);
      frozenNs.put(side, 0L);
    }
  }

  List<String> violations() {
    return violations;
  }

  void violation(String text) {
    violations.add("at %.3f ms: %s".formatted(fabric.nanoTime() / 1e6, text));
  }

  void require(boolean holds, String text) {
    if (!holds) {
      violation(text);
    }
  }

  /** Sends that have not ended. */
  int open() {
    return open;
  }

  /** The loops of a side stand still for this long; its deadlines are late by that. */
  void frozen(Side side, long ns) {
    frozenNs.merge(side, ns, Long::sum);
  }

  /** Accesses to memory that is not exported any more break paths. */
  void revoked() {
    anyRevoked = true;
  }

  boolean anyRevoked() {
    return anyRevoked;
  }

  void cancelledReceiving(Side side) {
    cancelledNs.put(side, fabric.nanoTime());
  }

  // ---- sending

  @SuppressWarnings("MustBeClosedChecker") // the region owns the arena
  void send(Connection connection, Deed.Send send) {
    Parcel parcel = new Parcel(send, fabric.nanoTime());
    parcels.get(send.from()).put(send.number(), parcel);
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(Math.max(1, send.bytes())).asSlice(0, send.bytes());
    memory.copyFrom(Bytes.of(parcel.pattern(), send.bytes()));
    Region region =
        Region.wrap(
            memory,
            () -> {
              parcel.frees++;
              arena.close();
            });
    ByteBuffer header = ByteBuffer.allocate(4).putInt(send.number()).flip();
    SendOptions options =
        SendOptions.DEFAULT
            .withHeader(header)
            .withPriority(send.priority())
            .withTimeout(send.timeout());
    open++;
    parcel.sending =
        connection
            .send(region, options)
            .doFinally(signal -> region.release())
            .subscribe(null, failure -> ended(parcel, failure), () -> ended(parcel, null));
  }

  private void ended(Parcel parcel, Throwable failure) {
    require(parcel.isOpen(), parcel + " has ended again");
    open--;
    parcel.endedNs = fabric.nanoTime();
    parcel.done = failure == null;
    parcel.failure = failure;
    long tookNs = parcel.endedNs - parcel.sentNs;
    long mostNs = parcel.send.timeout().toNanos() + LATENESS_NS + frozenNs.get(parcel.from());
    require(tookNs <= mostNs, parcel + " has ended after its deadline");
  }

  void cancel(Side side, int number) {
    Parcel parcel = parcels.get(side).get(number);
    if (parcel != null && parcel.isOpen()) {
      open--;
      parcel.cancelled = true;
      Objects.requireNonNull(parcel.sending).dispose();
    }
  }

  // ---- receiving

  void came(Side at, Message message) {
    int number = message.header().getInt();
    Parcel parcel = parcels.get(at.other()).get(number);
    if (parcel == null) {
      violation("message " + number + " came to the " + at + " and was never sent");
      return;
    }
    parcel.arrivals++;
    require(parcel.arrivals == 1, parcel + " came again");
    boolean whole =
        message.size() == parcel.send.bytes() && Bytes.matches(message.data(), parcel.pattern());
    require(whole, parcel + " came torn");
  }

  // ---- the rules

  /**
   * Judges all messages once everything has ended.
   *
   * @param ended the sides whose connection has ended while messages were sent
   */
  void judge(List<Side> ended) {
    for (Side from : Side.values()) {
      for (Parcel parcel : parcels.get(from).values()) {
        judge(parcel, ended);
      }
    }
  }

  private void judge(Parcel parcel, List<Side> ended) {
    Side to = parcel.from().other();
    require(!parcel.isOpen(), parcel + " never ended");
    require(parcel.frees == 1, parcel + ": its memory was given back " + parcel.frees + " times");
    boolean mayBeDropped = ended.contains(to) || cancelledNs.get(to) >= parcel.sentNs;
    require(
        !parcel.done || parcel.arrivals == 1 || mayBeDropped,
        parcel + " was confirmed and is lost");
    if (parcel.failure != null) {
      require(isFair(parcel, parcel.failure, ended), parcel + " without a reason");
    }
  }

  private boolean isFair(Parcel parcel, Throwable failure, List<Side> ended) {
    Side to = parcel.from().other();
    if (!(failure instanceof MaestroException known)) {
      return false;
    }
    return switch (known) {
      case MaestroException.DeadlineExceeded e ->
          parcel.endedNs - parcel.sentNs >= parcel.send.timeout().toNanos();
      case MaestroException.ReceiverCancelled e -> cancelledNs.get(to) >= parcel.sentNs;
      case MaestroException.TooLarge e ->
          parcel.send.bytes() > world.budgetBytes() && parcel.arrivals == 0;
      case MaestroException.ConnectionLost e -> ended.contains(parcel.from());
      case MaestroException.Closed e -> ended.contains(parcel.from());
      default -> false;
    };
  }

  /** A number that is the same for two runs only if every message fared the same. */
  long digest() {
    long digest = 0;
    for (Side side : Side.values()) {
      for (Parcel parcel : parcels.get(side).values()) {
        digest += Objects.hash(parcel.toString(), parcel.sentNs, parcel.endedNs) * 31L;
      }
    }
    return digest;
  }
}
