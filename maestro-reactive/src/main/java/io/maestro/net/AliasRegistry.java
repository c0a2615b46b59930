package io.maestro.net;

import io.maestro.api.MaestroException.AddressSetupFailed;
import io.maestro.api.MaestroException.AddressSetupFailed.Reason;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The aliases that this process has added, each with the number of leases that hold it. */
final class AliasRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(AliasRegistry.class);

  private record Place(String interfaceName, InetAddress address) {
    static Place of(Alias alias) {
      return new Place(alias.interfaceName(), alias.address());
    }
  }

  private record Held(Alias alias, int leases) {}

  private final IpCommand ip;
  private final Supplier<List<InterfaceState>> interfaces;
  private final Map<Place, Held> held = new LinkedHashMap<>();

  AliasRegistry(IpCommand ip, Supplier<List<InterfaceState>> interfaces) {
    this.ip = ip;
    this.interfaces = interfaces;
  }

  /** Adds what is missing; when one cannot be added, those before it are removed again. */
  synchronized AliasLease add(List<Alias> wanted) {
    List<Alias> distinct = wanted.stream().distinct().toList();
    List<Alias> mine = new ArrayList<>();
    try {
      distinct.stream().filter(this::hold).forEach(mine::add);
    } catch (AddressSetupFailed failure) {
      try {
        release(mine);
      } catch (AddressSetupFailed again) {
        failure.addSuppressed(again);
      }
      throw failure;
    }
    return new AliasLease(distinct, mine, this);
  }

  /** False when it was there before and is none of ours. */
  private boolean hold(Alias alias) {
    Place place = Place.of(alias);
    Held already = held.get(place);
    if (already == null && (isThere(alias) || !change(alias, alias.addCommand(), true))) {
      return false;
    }
    if (already == null) {
      LOG.info("added the address {}", alias);
    }
    held.put(place, new Held(alias, already == null ? 1 : already.leases + 1));
    return true;
  }

  /** Gives up one hold of each; removes those that nobody holds any more, the last first. */
  synchronized void release(List<Alias> aliases) {
    List<AddressSetupFailed> failures = new ArrayList<>();
    for (Alias alias : aliases.reversed()) {
      try {
        release(alias);
      } catch (AddressSetupFailed failure) {
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      AddressSetupFailed first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  private void release(Alias alias) {
    Held now =
        held.computeIfPresent(
            Place.of(alias),
            (place, was) -> was.leases == 1 ? null : new Held(was.alias, was.leases - 1));
    if (now == null && change(alias, alias.removeCommand(), false)) {
      LOG.info("removed the address {}", alias);
    }
  }

  /** Removes all that is held, when the process ends. */
  synchronized void releaseAll() {
    List<Held> left = List.copyOf(held.values()).reversed();
    held.clear();
    for (Held each : left) {
      try {
        change(each.alias, each.alias.removeCommand(), false);
      } catch (AddressSetupFailed failure) {
        LOG.warn("{}", failure.getMessage());
      }
    }
  }

  private boolean isThere(Alias alias) {
    for (InterfaceState each : interfaces.get()) {
      boolean same = each.name().equals(alias.interfaceName());
      if (same && isAnsweredByLoopback(each, alias.address())) {
        return true;
      }
      if (each.has(alias.address())) {
        if (same) {
          return true;
        }
        throw failed(alias, Reason.ON_ANOTHER_INTERFACE, "it is on " + each.name(), List.of());
      }
    }
    return false;
  }

  /** Linux answers on all of 127.0.0.0/8, though it lists 127.0.0.1 only. */
  private static boolean isAnsweredByLoopback(InterfaceState state, InetAddress address) {
    return state.kind() == VirtualNic.Kind.LOOPBACK
        && address instanceof Inet4Address
        && address.isLoopbackAddress();
  }

  /** True when the command did it, false when somebody else had just done it. */
  private boolean change(Alias alias, List<String> command, boolean toBeThere) {
    IpCommand.Outcome outcome = ip.run(command);
    if (outcome instanceof IpCommand.Missing missing) {
      throw failed(alias, Reason.NO_COMMAND, missing.reason(), command);
    }
    if (outcome instanceof IpCommand.Refused refused) {
      boolean there = interfaces.get().stream().anyMatch(state -> isOn(state, alias));
      if (there != toBeThere) {
        throw failed(alias, reasonOf(refused.output()), refused.output(), command);
      }
      return false;
    }
    return true;
  }

  private static boolean isOn(InterfaceState state, Alias alias) {
    return state.name().equals(alias.interfaceName()) && state.has(alias.address());
  }

  private static Reason reasonOf(String output) {
    String lower = output.toLowerCase(Locale.ROOT);
    if (lower.contains("not permitted") || lower.contains("permission denied")) {
      return Reason.NOT_PRIVILEGED;
    }
    boolean unknown = lower.contains("cannot find device") || lower.contains("does not exist");
    return unknown ? Reason.NO_INTERFACE : Reason.REFUSED;
  }

  private static AddressSetupFailed failed(
      Alias alias, Reason reason, String detail, List<String> command) {
    Optional<String> byHand =
        command.isEmpty() ? Optional.empty() : Optional.of("sudo " + String.join(" ", command));
    return new AddressSetupFailed(
        reason,
        "the address %s cannot be set up: %s%s"
            .formatted(alias, detail, byHand.map(text -> "; by hand: " + text).orElse("")),
        byHand.orElse(""));
  }
}
