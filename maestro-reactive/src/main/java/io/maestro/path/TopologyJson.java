package io.maestro.path;

import io.maestro.path.Topology.Ends;
import io.maestro.path.Topology.Link;
import io.maestro.path.Topology.Node;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link Topology} from JSON; docs/path-selection.md describes the format. Needs Jackson's
 * streaming core ({@code tools.jackson.core:jackson-core}) on the class path.
 */
public final class TopologyJson {
  private static final double BITS_PER_MBIT = 1e6;
  private static final double MAX_MBIT = 1e9;
  private static final long MAX_SEED = 0xFFFFFFFFL;
  private static final int MAX_WEIGHT = 65535;
  private static final int FIVE_TUPLE_FIELDS = 0x37;
  private static final int DEFAULT_FIELDS = 0x7;

  private TopologyJson() {}

  /**
   * The topology in a document.
   *
   * @throws TopologyException with line and field when it holds none
   * @throws NoClassDefFoundError when Jackson is missing
   */
  public static Topology parse(String json) {
    LocatedJson document = LocatedJson.parse(json);
    LocatedJson ecmp = document.find("ecmp");
    EcmpHash usual = ecmp == null ? null : hash(ecmp);
    List<LocatedJson> nodeValues = document.require("nodes").elements();
    List<LocatedJson> linkValues = document.require("links").elements();
    List<Node> nodes = nodeValues.stream().map(value -> node(value, usual)).toList();
    List<Link> links = new ArrayList<>(linkValues.stream().map(TopologyJson::link).toList());
    linkValues.stream()
        .filter(TopologyJson::isBothWays)
        .map(TopologyJson::back)
        .forEach(links::add);
    try {
      return new Topology(nodes, links);
    } catch (TopologyException broken) {
      throw located(broken, nodeValues, linkValues);
    }
  }

  /** Tells the line of what the topology found wrong. */
  private static TopologyException located(
      TopologyException broken, List<LocatedJson> nodes, List<LocatedJson> links) {
    List<LocatedJson> all = new ArrayList<>(nodes);
    all.addAll(links);
    for (LocatedJson value : all) {
      if (broken.field().startsWith(value.field() + ".")) {
        String name = broken.field().substring(value.field().length() + 1);
        LocatedJson member = value.find(name);
        int line = member == null ? value.line() : member.line();
        String problem = String.valueOf(broken.getMessage()).substring(broken.field().length() + 2);
        return new TopologyException(line, broken.field(), problem);
      }
    }
    return broken;
  }

  private static Node node(LocatedJson value, @Nullable EcmpHash usual) {
    LocatedJson kind = value.find("kind");
    LocatedJson addresses = value.find("addresses");
    LocatedJson own = value.find("ecmp");
    boolean host = kind != null && kind.text().equals("host");
    EcmpHash hash = own == null ? usual : hash(own);
    return new Node(
        value.require("name").text(),
        host,
        addresses == null ? List.of() : addresses(addresses),
        host && own == null ? null : hash);
  }

  private static List<InetAddress> addresses(LocatedJson value) {
    return value.elements().stream().map(TopologyJson::address).toList();
  }

  private static InetAddress address(LocatedJson value) {
    try {
      return InetAddress.ofLiteral(value.text());
    } catch (IllegalArgumentException notOne) {
      throw value.wrong("'%s' is not an IP address".formatted(value.text()));
    }
  }

  private static @Nullable InetAddress addressOrNull(@Nullable LocatedJson value) {
    return value == null ? null : address(value);
  }

  private static Link link(LocatedJson value) {
    LocatedJson mbit = value.find("mbit");
    LocatedJson weight = value.find("weight");
    LocatedJson hostAddresses = value.find("hostAddresses");
    return new Link(
        value.require("from").text(),
        value.require("to").text(),
        mbit == null ? 0 : Math.round(mbit.number(0, MAX_MBIT) * BITS_PER_MBIT),
        weight == null ? 1 : (int) weight.whole(1, MAX_WEIGHT),
        new Ends(
            addressOrNull(value.find("fromAddress")),
            addressOrNull(value.find("toAddress")),
            hostAddresses == null ? List.of() : addresses(hostAddresses)));
  }

  private static boolean isBothWays(LocatedJson link) {
    LocatedJson flag = link.find("bothWays");
    return flag != null && flag.flag();
  }

  private static Link back(LocatedJson value) {
    Link there = link(value);
    Ends ends = there.ends();
    return new Link(
        there.to(),
        there.from(),
        there.bitsPerSecond(),
        there.weight(),
        new Ends(ends.to(), ends.from(), ends.hostAddresses()));
  }

  /** Null for a hash that nobody can predict. */
  private static @Nullable EcmpHash hash(LocatedJson value) {
    LocatedJson model = value.require("hash");
    int seed = seed(value.find("seed"));
    return switch (model.text()) {
      case "linux" -> seed == 0 ? null : new EcmpHash.Linux(policy(value), seed);
      case "crc32" -> new EcmpHash.Crc32(seed, selection(value.find("select")));
      case "crc16-ccitt" -> new EcmpHash.Crc16Ccitt(seed, selection(value.find("select")));
      case "xor" -> new EcmpHash.XorFold(seed, selection(value.find("select")));
      case "unknown" -> null;
      default ->
          throw model.wrong(
              "'%s' is none of linux, crc32, crc16-ccitt, xor, unknown".formatted(model.text()));
    };
  }

  private static int seed(@Nullable LocatedJson value) {
    return value == null ? 0 : (int) value.whole(0, MAX_SEED);
  }

  private static EcmpHash.Selection selection(@Nullable LocatedJson value) {
    if (value == null) {
      return EcmpHash.Selection.MODULO;
    }
    return switch (value.text()) {
      case "modulo" -> EcmpHash.Selection.MODULO;
      case "threshold" -> EcmpHash.Selection.THRESHOLD;
      default -> throw value.wrong("'%s' is neither modulo nor threshold".formatted(value.text()));
    };
  }

  private static EcmpHash.Linux.Policy policy(LocatedJson hash) {
    LocatedJson policy = hash.require("policy");
    LocatedJson fields = hash.find("fields");
    int mask = fields == null ? DEFAULT_FIELDS : (int) fields.whole(0, 0xFFFF);
    return switch ((int) policy.whole(0, 3)) {
      case 0 -> EcmpHash.Linux.Policy.L3;
      case 1 -> EcmpHash.Linux.Policy.L4;
      case 2 -> throw policy.wrong("policy 2, of tunnels, cannot be predicted");
      default -> custom(mask, fields == null ? policy : fields);
    };
  }

  private static EcmpHash.Linux.Policy custom(int mask, LocatedJson where) {
    return switch (mask) {
      case FIVE_TUPLE_FIELDS -> EcmpHash.Linux.Policy.FIVE_TUPLE;
      case DEFAULT_FIELDS -> EcmpHash.Linux.Policy.ADDRESSES_AND_PROTOCOL;
      default ->
          throw where.wrong(
              "fields must be %d (0x37) or %d (0x7)".formatted(FIVE_TUPLE_FIELDS, DEFAULT_FIELDS));
    };
  }
}
