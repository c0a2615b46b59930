package io.maestro.ps;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** What a server counts. */
record ServerCounters(
    LongAdder bytesPushed,
    LongAdder bytesPulled,
    LongAdder updates,
    LongAdder refused,
    AtomicInteger members) {

  ServerCounters() {
    this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder(), new AtomicInteger());
  }

  ParameterServer.Statistics read() {
    return new ParameterServer.Statistics(
        bytesPushed.sum(), bytesPulled.sum(), updates.sum(), refused.sum(), members.get());
  }
}
