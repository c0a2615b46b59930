package io.maestro.net;

import io.maestro.net.VirtualNic.Kind;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Interfaces in memory, changed by the commands that the real one takes. */
final class FakeKernel implements IpCommand {
  private static final int ACTION = 2;
  private static final int NETWORK = 3;
  private static final int DEVICE = 5;

  private final Map<String, List<String>> interfaces = new LinkedHashMap<>();
  private final Map<String, String> refusals = new HashMap<>();
  private final Set<String> races = new HashSet<>();
  private final List<String> commands = new ArrayList<>();

  /** Each a name, followed by addresses. */
  FakeKernel(String... descriptions) {
    for (String description : descriptions) {
      List<String> words = List.of(description.split(" ", -1));
      interfaces.put(words.getFirst(), new ArrayList<>(words.subList(1, words.size())));
    }
  }

  /** From now on, commands for an address fail with these words. */
  void refuse(String address, String words) {
    refusals.put(address, words);
  }

  /** Somebody else adds the address just before we do. */
  void raceFor(String address) {
    races.add(address);
  }

  /** Somebody else removes it. */
  void forget(String name, String address) {
    interfaces.get(name).remove(address);
  }

  List<String> addresses(String name) {
    return List.copyOf(interfaces.get(name));
  }

  List<String> commands() {
    return List.copyOf(commands);
  }

  List<InterfaceState> interfaces() {
    List<InterfaceState> states = new ArrayList<>();
    interfaces.forEach(
        (name, addresses) ->
            states.add(
                new InterfaceState(
                    name,
                    states.size() + 1,
                    name.equals("lo") ? Kind.LOOPBACK : Kind.ORDINARY,
                    true,
                    1500,
                    addresses.stream().map(FakeKernel::assigned).toList())));
    return states;
  }

  private static InterfaceState.Assigned assigned(String address) {
    return new InterfaceState.Assigned(InetAddress.ofLiteral(address), 24, true);
  }

  @Override
  public Outcome run(List<String> command) {
    commands.add(String.join(" ", command));
    String address = command.get(NETWORK).replaceFirst("/.*", "");
    @Nullable List<String> addresses = interfaces.get(command.get(DEVICE));
    if (refusals.containsKey(address)) {
      return new Refused(refusals.get(address));
    }
    if (addresses == null) {
      return new Refused("Cannot find device \"" + command.get(DEVICE) + "\"");
    }
    if (command.get(ACTION).equals("del")) {
      return addresses.remove(address)
          ? new Done()
          : new Refused("RTNETLINK answers: Cannot assign requested address");
    }
    addresses.add(address);
    return races.contains(address) ? new Refused("RTNETLINK answers: File exists") : new Done();
  }
}
