package io.maestro.verbs.sim;

import io.maestro.verbs.Signals;

/** One end's sending half: numbers what it sends, and sends it until it is acknowledged. */
final class Sender {
  private static final double NS_PER_SECOND = 1e9;
  private static final int MOST_BACKOFF = 16;

  private final Transport transport;
  private final Timeline timeline;
  private final FabricOptions options;
  private final UnitRing units = new UnitRing();
  private final RoundTrip roundTrip = new RoundTrip();
  private final Window window;
  private final SimEvent timer = new RetryTimer();
  private long inFlightBytes;
  private int lost;
  private long newestAcknowledged = -1;
  private long timeoutAtNs;
  private long timerAtNs;
  private long answeredAtNs;
  private int backoff;

  private long deliveredPackets;
  private long deliveredBytes;
  private long deliveredNs;
  private long marks;
  private long retransmits;
  private long deliveryRate = Signals.ABSENT;

  private final class RetryTimer extends SimEvent {
    @Override
    void fire() {
      timerFired();
    }
  }

  Sender(Transport transport, Timeline timeline, FabricOptions options) {
    this.transport = transport;
    this.timeline = timeline;
    this.options = options;
    window = new Window(options.unitBytes(), options.windowBytes());
  }

  UnitRing units() {
    return units;
  }

  Signals signals() {
    return options.hasSignals()
        ? new Signals(
            deliveredPackets,
            marks,
            retransmits,
            roundTrip.smoothedNs(),
            deliveryRate,
            units.next() - units.oldest(),
            timeline.nowNs() - answeredAtNs)
        : Signals.NONE;
  }

  long timeoutNs() {
    return roundTrip.timeoutNs();
  }

  /** Sends what the window allows: first again what was lost, then what is new. */
  void transmit() {
    if (transport.isEnded()) {
      return;
    }
    boolean wasIdle = units.isEmpty();
    resendLost();
    while (lost == 0 && inFlightBytes < window.bytes()) {
      Unit unit = units.blank();
      if (!transport.fillNext(unit)) {
        break;
      }
      units.push();
      send(unit);
    }
    if (wasIdle) {
      answeredAtNs = timeline.nowNs();
    }
    armTimer();
  }

  private void resendLost() {
    for (long psn = units.oldest(); lost > 0 && inFlightBytes < window.bytes(); psn++) {
      Unit unit = units.at(psn);
      if (unit.lost) {
        unit.lost = false;
        lost--;
        retransmits++;
        send(unit);
      }
    }
  }

  private void send(Unit unit) {
    unit.sentNs = timeline.nowNs();
    unit.deliveredBytesWhenSent = deliveredBytes;
    unit.deliveredNsWhenSent = inFlightBytes == 0 ? timeline.nowNs() : deliveredNs;
    inFlightBytes += wireBytes(unit);
    transport.carry(unit);
  }

  private static int wireBytes(Unit unit) {
    return unit.length + Packet.HEADER_BYTES;
  }

  /** The peer has this packet, and everything before {@code nextPsn}. */
  void acknowledged(long psn, long sentNs, long nextPsn, long peerMarks) {
    if (transport.isEnded()) {
      return;
    }
    marks = Math.max(marks, peerMarks);
    roundTrip.sample(timeline.nowNs() - sentNs);
    answeredAtNs = timeline.nowNs();
    stopBackingOff();
    Unit trigger = units.find(psn);
    if (trigger != null) {
      take(trigger);
    }
    while (units.oldest() < nextPsn && !transport.isEnded()) {
      Unit unit = units.at(units.oldest());
      take(unit);
      units.dropOldest();
      transport.delivered(unit);
    }
    findLost(sentNs);
    timeoutAtNs = transport.departureNs() + roundTrip.timeoutNs();
    if (timer.isQueued() && timerAtNs - timeoutAtNs > 0) {
      timeline.cancel(timer); // it was set when round trips were longer, or not known
    }
    transmit();
  }

  private void stopBackingOff() {
    if (backoff > 0) {
      backoff = 0;
      timeline.cancel(timer);
    }
  }

  private void take(Unit unit) {
    if (unit.acknowledged) {
      return;
    }
    unit.acknowledged = true;
    newestAcknowledged = Math.max(newestAcknowledged, unit.psn);
    if (unit.lost) {
      unit.lost = false;
      lost--;
    } else {
      inFlightBytes -= wireBytes(unit);
    }
    deliveredPackets++;
    deliveredBytes += unit.length;
    deliveredNs = timeline.nowNs();
    measureRate(unit);
    window.acknowledged(wireBytes(unit));
  }

  private void measureRate(Unit unit) {
    long intervalNs = deliveredNs - unit.deliveredNsWhenSent;
    if (intervalNs > 0) {
      deliveryRate =
          Math.round((deliveredBytes - unit.deliveredBytesWhenSent) * NS_PER_SECOND / intervalNs);
    }
  }

  /** What was sent well before something that has arrived will not arrive any more. */
  private void findLost(long arrivedSentNs) {
    long latestNs = arrivedSentNs - roundTrip.reorderingNs();
    for (long psn = units.oldest(); psn < newestAcknowledged; psn++) {
      Unit unit = units.at(psn);
      if (!unit.acknowledged && !unit.lost && unit.sentNs < latestNs) {
        markLost(unit);
        window.lost(psn, units.next());
      }
    }
  }

  private void markLost(Unit unit) {
    unit.lost = true;
    lost++;
    inFlightBytes -= wireBytes(unit);
  }

  private void armTimer() {
    if (!units.isEmpty() && !timer.isQueued()) {
      timeoutAtNs = transport.departureNs() + waitNs();
      start(timeoutAtNs);
    }
  }

  private void start(long atNs) {
    timerAtNs = atNs;
    timeline.at(atNs, timer);
  }

  private long waitNs() {
    return Math.min(roundTrip.timeoutNs() << backoff, Math.max(1, options.retryLimitNs() / 4));
  }

  private void timerFired() {
    if (units.isEmpty() || transport.isEnded()) {
      return;
    }
    if (timeline.nowNs() < timeoutAtNs) {
      start(timeoutAtNs);
      return;
    }
    if (timeline.nowNs() - answeredAtNs >= options.retryLimitNs()) {
      transport.isLost();
      return;
    }
    backoff = Math.min(MOST_BACKOFF, backoff + 1);
    for (long psn = units.oldest(); psn < units.next(); psn++) {
      if (!units.at(psn).acknowledged && !units.at(psn).lost) {
        markLost(units.at(psn));
      }
    }
    window.silent(units.next());
    transmit();
  }

  /** Forgets everything: nothing of it is sent or read any more. */
  void end() {
    timeline.cancel(timer);
  }
}
