package io.maestro.testing.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The shape of a fabric.
 *
 * @param hosts host H is on leaf (H - 1) mod leaves + 1
 * @param aliases addresses of each host, IPv4 and as many IPv6
 * @param mbit rate of each spine's links in Mbit/s; the last entry is that of all further spines
 * @param mtuBytes of every link
 * @param ecnKb backlog of a port, in kB, above which it marks; 0 for no marks
 * @param seed of the ECMP hash; 0 for the kernel's own, which is unknown
 * @param macvlan one NIC, nic1 and so on, for each address of a host, as some programs want
 */
public record FabricOptions(
    int hosts,
    int leaves,
    int spines,
    int aliases,
    List<Integer> mbit,
    int mtuBytes,
    int ecnKb,
    long seed,
    boolean macvlan) {

  /** Two hosts on two leaves, four spines of 200 Mbit/s, MTU 9000. */
  public static final FabricOptions DEFAULT =
      new FabricOptions(2, 2, 4, 4, List.of(200), 9000, 60, 1, false);

  /** Copies the rates. */
  public FabricOptions {
    mbit = List.copyOf(mbit);
  }

  /** The same with other rates. */
  public FabricOptions withMbit(Integer... perSpine) {
    return new FabricOptions(
        hosts, leaves, spines, aliases, List.of(perSpine), mtuBytes, ecnKb, seed, macvlan);
  }

  /** The same with other numbers of nodes. */
  public FabricOptions withNodes(int hosts, int leaves, int spines) {
    return new FabricOptions(hosts, leaves, spines, aliases, mbit, mtuBytes, ecnKb, seed, macvlan);
  }

  /** The same with another seed. */
  public FabricOptions withSeed(long other) {
    return new FabricOptions(hosts, leaves, spines, aliases, mbit, mtuBytes, ecnKb, other, macvlan);
  }

  /** The same with another MTU. */
  public FabricOptions withMtuBytes(int other) {
    return new FabricOptions(hosts, leaves, spines, aliases, mbit, other, ecnKb, seed, macvlan);
  }

  /** The same with a NIC for each address. */
  public FabricOptions withMacvlan() {
    return new FabricOptions(hosts, leaves, spines, aliases, mbit, mtuBytes, ecnKb, seed, true);
  }

  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    add(arguments, "--hosts", hosts);
    add(arguments, "--leaves", leaves);
    add(arguments, "--spines", spines);
    add(arguments, "--aliases", aliases);
    add(arguments, "--mbit", mbit.stream().map(String::valueOf).collect(Collectors.joining(",")));
    add(arguments, "--mtu", mtuBytes);
    add(arguments, "--ecn-kb", ecnKb);
    add(arguments, "--seed", seed);
    add(arguments, "--nic", macvlan ? "macvlan" : "alias");
    return arguments;
  }

  private static void add(List<String> arguments, String option, Object value) {
    arguments.add(option);
    arguments.add(String.valueOf(value));
  }
}
