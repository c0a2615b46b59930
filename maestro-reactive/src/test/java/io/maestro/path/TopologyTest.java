package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.maestro.path.Topology.Ends;
import io.maestro.path.Topology.Link;
import io.maestro.path.Topology.Node;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TopologyTest {
  private static final InetAddress A = InetAddress.ofLiteral("10.0.0.1");
  private static final InetAddress A2 = InetAddress.ofLiteral("10.0.0.2");
  private static final InetAddress B = InetAddress.ofLiteral("10.9.0.1");

  private static IntStream seeds() {
    return IntStream.range(0, 20);
  }

  private static Node host(String name, InetAddress... addresses) {
    return new Node(name, true, List.of(addresses), null);
  }

  private static Node plain(String name) {
    return new Node(name, false, List.of(), null);
  }

  private static Link link(String from, String to, Ends ends) {
    return new Link(from, to, 0, 1, ends);
  }

  private static FiveTuple flow(InetAddress from, int port) {
    return new FiveTuple(from, port, B, 7000, FiveTuple.TCP);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aPredictedRouteIsAShortestOneOverLinksThatExist(int seed) {
    Topology topology = Fabrics.threeTier(seed, 3, 2);
    Map<String, Integer> cores = new HashMap<>();
    for (Candidate candidate : Fabrics.candidates(topology, seed, 600)) {
      Route route = candidate.route();
      assertThat(route.links()).hasSize(6);
      assertThat(route.links().getFirst().from()).isEqualTo("a");
      assertThat(route.links().getLast().to()).isEqualTo("b");
      for (RouteLink link : route.links()) {
        assertThat(topology.links())
            .anyMatch(
                known ->
                    known.from().equals(link.from())
                        && known.to().equals(link.to())
                        && known.bitsPerSecond() == link.bitsPerSecond());
      }
      cores.merge(route.inner().get(2), 1, Integer::sum);
    }
    // Each of six cores has a sixth of 600 flows, give or take.
    assertThat(cores).as("seed %d", seed).hasSize(6);
    assertThat(cores.values()).allMatch(count -> count > 60 && count < 150);
  }

  @Test
  void parallelLinksAreDifferentLanesAndToldApartByAddress() {
    InetAddress second = InetAddress.ofLiteral("10.5.0.2");
    EcmpHash hash = new EcmpHash.Crc32(0, EcmpHash.Selection.MODULO);
    Topology topology =
        new Topology(
            List.of(host("a", A), host("b", B), new Node("s", false, List.of(), hash), plain("t")),
            List.of(
                link("a", "s", Ends.UNKNOWN),
                link("s", "t", Ends.UNKNOWN),
                link("s", "t", new Ends(null, second, List.of())),
                link("t", "b", Ends.UNKNOWN)));
    List<String> names =
        IntStream.range(0, 50)
            .mapToObj(port -> topology.predict(flow(A, port)).route())
            .map(route -> route.links().get(1).name())
            .distinct()
            .toList();
    assertThat(names).containsExactlyInAnyOrder("s>t", "s>t#1");
    assertThat(topology.link("s", "t", second).orElseThrow().name()).isEqualTo("s>t#1");
    assertThat(topology.owner(second).orElseThrow().name()).isEqualTo("t");
  }

  @Test
  void aHostWithTwoLinksSendsOnTheOneOfItsSourceAddress() {
    Topology topology =
        new Topology(
            List.of(host("a", A, A2), host("b", B), plain("s"), plain("t")),
            List.of(
                link("a", "s", new Ends(null, null, List.of(A))),
                link("a", "t", new Ends(null, null, List.of(A2))),
                link("s", "b", Ends.UNKNOWN),
                link("t", "b", Ends.UNKNOWN)));
    assertThat(topology.predict(flow(A, 1)).route().inner()).containsExactly("s");
    assertThat(topology.predict(flow(A2, 1)).route().inner()).containsExactly("t");
  }

  @Test
  void whatCannotBePredictedSaysWhy() {
    Topology topology =
        new Topology(
            List.of(host("a", A), host("b", B), plain("s"), plain("t"), plain("u"), plain("v")),
            List.of(
                link("a", "s", Ends.UNKNOWN),
                link("s", "t", Ends.UNKNOWN),
                link("s", "u", Ends.UNKNOWN),
                link("t", "b", Ends.UNKNOWN),
                link("u", "b", Ends.UNKNOWN)));
    assertThat(topology.predict(flow(A, 1)).reason())
        .isEqualTo("s has 2 next hops and its hash is not known");
    assertThat(topology.predict(flow(A2, 1)).reason()).isEqualTo("10.0.0.2 is not in the topology");
    Topology cut =
        new Topology(List.of(host("a", A), host("b", B)), List.of(link("b", "a", Ends.UNKNOWN)));
    assertThat(cut.predict(flow(A, 1)).reason()).contains("no route from a to 10.9.0.1");
  }

  @Test
  void aTopologyThatMakesNoSenseIsRefusedWithThePlace() {
    List<Node> nodes = List.of(host("a", A), host("b", B));
    assertThatThrownBy(() -> new Topology(nodes, List.of(link("a", "c", Ends.UNKNOWN))))
        .isInstanceOf(TopologyException.class)
        .hasMessage("links[0].to: there is no node 'c'");
    assertThatThrownBy(() -> new Topology(nodes, List.of(link("a", "a", Ends.UNKNOWN))))
        .hasMessageContaining("with itself");
    assertThatThrownBy(() -> new Topology(List.of(host("a", A), host("a", B)), List.of()))
        .hasMessage("nodes[1].name: 'a' is there twice");
    assertThatThrownBy(() -> new Topology(List.of(host("a", A), host("b", A)), List.of()))
        .hasMessage("nodes[1].addresses: 10.0.0.1 belongs to 'a' already");
  }
}
