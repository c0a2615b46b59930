package io.maestro.path;

import io.maestro.path.Topology.Ends;
import io.maestro.path.Topology.Link;
import io.maestro.path.Topology.Node;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Random fabrics with two hosts, and candidates between them. */
final class Fabrics {
  static final int PORT = 7000;

  private final Random random;
  private final List<Node> nodes = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();

  private Fabrics(long seed) {
    random = new Random(seed);
  }

  /** Two leaves and some spines, all links of one rate. */
  static Topology leafSpine(long seed, int spines, long mbit) {
    Fabrics fabric = new Fabrics(seed);
    fabric.host("a", "10.1.0.", "leaf1");
    fabric.host("b", "10.2.0.", "leaf2");
    for (int leaf = 1; leaf <= 2; leaf++) {
      fabric.switchNode("leaf" + leaf);
    }
    for (int spine = 1; spine <= spines; spine++) {
      fabric.switchNode("spine" + spine);
      fabric.link("leaf1", "spine" + spine, mbit);
      fabric.link("leaf2", "spine" + spine, mbit);
    }
    return new Topology(fabric.nodes, fabric.links);
  }

  /** Two pods of leaves' aggregation switches, each of which has cores of its own; random rates. */
  static Topology threeTier(long seed, int aggregations, int cores) {
    Fabrics fabric = new Fabrics(seed);
    fabric.host("a", "10.1.0.", "leaf1");
    fabric.host("b", "10.2.0.", "leaf2");
    fabric.switchNode("leaf1");
    fabric.switchNode("leaf2");
    for (int i = 0; i < aggregations; i++) {
      fabric.switchNode("left" + i);
      fabric.switchNode("right" + i);
      fabric.link("leaf1", "left" + i, fabric.rate());
      fabric.link("leaf2", "right" + i, fabric.rate());
      for (int j = 0; j < cores; j++) {
        String core = "core%d.%d".formatted(i, j);
        fabric.switchNode(core);
        fabric.link("left" + i, core, fabric.rate());
        fabric.link("right" + i, core, fabric.rate());
      }
    }
    return new Topology(fabric.nodes, fabric.links);
  }

  private long rate() {
    return 100L << random.nextInt(3);
  }

  private void host(String name, String prefix, String leaf) {
    List<InetAddress> addresses =
        IntStream.rangeClosed(1, 4).mapToObj(i -> InetAddress.ofLiteral(prefix + i)).toList();
    nodes.add(new Node(name, true, addresses, null));
    link(name, leaf, 0);
  }

  private void switchNode(String name) {
    EcmpHash hash = new EcmpHash.Linux(EcmpHash.Linux.Policy.FIVE_TUPLE, 1 + random.nextInt(1000));
    nodes.add(new Node(name, false, List.of(), hash));
  }

  private void link(String one, String other, long mbit) {
    links.add(new Link(one, other, mbit * 1_000_000, 1, Ends.UNKNOWN));
    links.add(new Link(other, one, mbit * 1_000_000, 1, Ends.UNKNOWN));
  }

  /** Candidates over random aliases and source ports, with the routes that are predicted. */
  static List<Candidate> candidates(Topology topology, long seed, int count) {
    Random random = new Random(seed);
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      InetAddress local = InetAddress.ofLiteral("10.1.0." + (1 + random.nextInt(4)));
      InetAddress remote = InetAddress.ofLiteral("10.2.0." + (1 + random.nextInt(4)));
      int port = 20000 + i;
      Prediction prediction =
          topology.predict(new FiveTuple(local, port, remote, PORT, FiveTuple.TCP));
      candidates.add(new Candidate(local, port, remote, PORT, prediction.route()));
    }
    return candidates;
  }
}
