package io.maestro.session;

import io.maestro.api.Region;
import io.maestro.verbs.MemoryRegion;
import io.maestro.verbs.ProtectionDomain;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The user's regions that transfers of this session work on, registered while at least one does.
 * Session's loop only.
 */
final class Registrations {
  private final ProtectionDomain domain;
  private final IdentityHashMap<Region, Entry> entries = new IdentityHashMap<>();

  private static final class Entry {
    private final MemoryRegion registered;
    private int users;

    Entry(MemoryRegion registered) {
      this.registered = registered;
    }
  }

  Registrations(ProtectionDomain domain) {
    this.domain = domain;
  }

  /** Registers a region for one more transfer; retains it. */
  MemoryRegion acquire(Region region) {
    region.retain();
    Entry entry =
        entries.computeIfAbsent(region, r -> new Entry(domain.register(r.segment(), Set.of())));
    entry.users++;
    return entry.registered;
  }

  /** A transfer has ended. */
  void release(Region region) {
    Entry entry = entries.get(region);
    if (entry != null) {
      if (--entry.users == 0) {
        entries.remove(region);
        entry.registered.close();
      }
      region.release();
    }
  }
}
