package io.maestro.ps;

import java.util.concurrent.atomic.LongAdder;

/** What a client counts. */
final class ClientCounters {

  private final LongAdder bytesPushed = new LongAdder();
  private final LongAdder bytesPulled = new LongAdder();
  private long syncs;
  private long lastSyncNs;
  private long maxSyncNs;
  private long totalSyncNs;

  void pushed(long bytes) {
    bytesPushed.add(bytes);
  }

  void pulled(long bytes) {
    bytesPulled.add(bytes);
  }

  synchronized void synced(long ns) {
    syncs++;
    lastSyncNs = ns;
    maxSyncNs = Math.max(maxSyncNs, ns);
    totalSyncNs += ns;
  }

  synchronized ParameterClient.Statistics read() {
    return new ParameterClient.Statistics(
        bytesPushed.sum(), bytesPulled.sum(), syncs, lastSyncNs, maxSyncNs, totalSyncNs);
  }
}
