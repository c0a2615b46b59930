package io.maestro.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PathSelectorTest {
  private static IntStream seeds() {
    return IntStream.range(0, 60);
  }

  private static Route route(String... nodes) {
    List<RouteLink> links = new ArrayList<>();
    for (int i = 1; i < nodes.length; i++) {
      links.add(new RouteLink(nodes[i - 1], nodes[i], 0, 0));
    }
    return new Route(links);
  }

  private static Candidate candidate(int port, Route route) {
    InetAddress local = InetAddress.ofLiteral("10.1.0." + (1 + port % 2));
    return new Candidate(local, port, InetAddress.ofLiteral("10.2.0.1"), Fabrics.PORT, route);
  }

  /** The best score of any choice, tried in full without the selector's own code. */
  private static RouteScore bruteForce(List<Candidate> candidates, int paths, List<Candidate> now) {
    return subsets(candidates, paths)
        .map(chosen -> score(new PathSelection(chosen), now))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static Stream<List<Candidate>> subsets(List<Candidate> all, int size) {
    return IntStream.range(0, 1 << all.size())
        .filter(bits -> Integer.bitCount(bits) == size)
        .mapToObj(
            bits ->
                IntStream.range(0, all.size())
                    .filter(i -> (bits >> i & 1) != 0)
                    .mapToObj(all::get)
                    .toList());
  }

  private static RouteScore score(PathSelection selection, List<Candidate> now) {
    int links = selection.paths().stream().mapToInt(one -> one.route().links().size()).sum();
    long kept =
        selection.paths().stream().filter(one -> now.stream().anyMatch(one::sameTuple)).count();
    return new RouteScore(selection.bitsPerSecond(), selection.overlap(), links, (int) kept);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noChoiceOfASmallRandomFabricIsBetter(int seed) {
    Random random = new Random(seed);
    Topology topology =
        random.nextBoolean()
            ? Fabrics.leafSpine(seed, 1 + random.nextInt(5), 200)
            : Fabrics.threeTier(seed, 1 + random.nextInt(3), 1 + random.nextInt(3));
    List<Candidate> candidates = Fabrics.candidates(topology, seed, 6 + random.nextInt(8));
    int paths = 1 + random.nextInt(4);
    List<Candidate> now = candidates.subList(0, random.nextInt(paths + 1));
    PathSelection selection = PathSelector.select(candidates, paths, now);
    assertThat(score(selection, now))
        .as("seed %d", seed)
        .isEqualByComparingTo(bruteForce(candidates, paths, now));
    assertThat(new HashSet<>(selection.paths())).hasSize(paths);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theSearchForLargeCasesIsAsGoodOnSmallOnes(int seed) {
    Topology topology = Fabrics.threeTier(seed, 3, 3);
    List<Route> routes =
        Fabrics.candidates(topology, seed, 40).stream().map(Candidate::route).distinct().toList();
    int[] many = new int[routes.size()];
    Arrays.fill(many, 4);
    int[] none = new int[routes.size()];
    RouteChoice full = new RouteChoice(routes, many, none, 4, Long.MAX_VALUE);
    RouteChoice stepwise = new RouteChoice(routes, many, none, 4, 0);
    assertThat(full.score(stepwise.best()))
        .as("seed %d", seed)
        .isEqualByComparingTo(full.score(full.best()));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void asManyPathsAsSpinesShareNoLinkBetweenTheLeaves(int seed) {
    int spines = 2 + seed % 7;
    Topology topology = Fabrics.leafSpine(seed, spines, 200);
    List<Candidate> candidates = Fabrics.candidates(topology, seed, 16 * spines);
    PathSelection selection = PathSelector.select(candidates, spines);
    assertThat(selection.paths())
        .as("seed %d", seed)
        .extracting(one -> one.route().inner().get(1))
        .doesNotHaveDuplicates();
    for (int path = 0; path < spines; path++) {
      assertThat(selection.sharedLinks(path)).containsExactly("a>leaf1", "leaf2>b");
    }
    assertThat(selection.bitsPerSecond()).isEqualTo(spines * 200e6);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whenARouteChangesThePathsThatAreStillGoodStay(int seed) {
    Topology topology = Fabrics.leafSpine(seed, 4, 200);
    List<Candidate> candidates = new ArrayList<>(Fabrics.candidates(topology, seed, 64));
    Random random = new Random(seed);
    PathSelection first = PathSelector.select(candidates, 4);
    int moved = random.nextInt(4);
    int onto = (moved + 1 + random.nextInt(3)) % 4;
    Candidate old = first.paths().get(moved);
    Candidate changed =
        new Candidate(
            old.local(),
            old.localPort(),
            old.remote(),
            old.remotePort(),
            first.paths().get(onto).route());
    candidates.set(candidates.indexOf(old), changed);
    PathSelection second = PathSelector.select(candidates, 4, first.paths());
    assertThat(second.overlap()).as("seed %d", seed).isEqualTo(first.overlap());
    List<Integer> changes =
        IntStream.range(0, 4)
            .boxed()
            .filter(i -> !second.paths().get(i).sameTuple(first.paths().get(i)))
            .toList();
    assertThat(changes).as("seed %d", seed).hasSize(1).isSubsetOf(moved, onto);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderOfTheCandidatesDoesNotChangeHowGoodTheChoiceIs(int seed) {
    List<Candidate> candidates =
        new ArrayList<>(Fabrics.candidates(Fabrics.threeTier(seed, 3, 2), seed, 24));
    RouteScore score = score(PathSelector.select(candidates, 4), List.of());
    Collections.shuffle(candidates, new Random(seed));
    assertThat(score(PathSelector.select(candidates, 4), List.of()))
        .as("seed %d", seed)
        .isEqualByComparingTo(score);
  }

  @Test
  void morePathsThanDisjointRoutesAreSpreadEvenlyAndSayWhatTheyShare() {
    List<Candidate> candidates = new ArrayList<>();
    for (int port = 0; port < 20; port++) {
      candidates.add(candidate(port, route("h", "l", "s" + port % 2, "m", "p")));
    }
    PathSelection selection = PathSelector.select(candidates, 4);
    assertThat(selection.paths())
        .extracting(one -> one.route().inner().get(1))
        .containsExactlyInAnyOrder("s0", "s0", "s1", "s1");
    assertThat(selection.sharedLinks(0)).contains("h>l").anyMatch(name -> name.matches("l>s."));
  }

  @Test
  void fasterRoutesArePreferredToDisjointSlowOnes() {
    Candidate slow = candidate(1, new Route(List.of(new RouteLink("h", "slow", 0, 10))));
    Candidate fast = candidate(2, new Route(List.of(new RouteLink("h", "fast", 0, 100))));
    Candidate faster = candidate(3, new Route(List.of(new RouteLink("h", "faster", 0, 200))));
    assertThat(PathSelector.select(List.of(slow, fast, faster), 2).paths())
        .containsExactlyInAnyOrder(fast, faster);
  }

  @Test
  void aRouteThatIsNotKnownCountsAsSharedWithEveryOther() {
    Candidate known = candidate(1, route("h", "l", "s1", "p"));
    Candidate blind = candidate(2, route("h", "?", "?", "p"));
    Candidate other = candidate(3, route("h", "l", "s2", "p"));
    assertThat(PathSelector.select(List.of(blind, known, other), 2).paths())
        .containsExactlyInAnyOrder(known, other);
    Candidate half = candidate(4, route("h", "?", "s2", "p"));
    assertThat(PathSelector.select(List.of(blind, known, half), 2).paths())
        .containsExactlyInAnyOrder(known, half);
  }

  @Test
  void candidatesOfOneRouteAreSpreadOverTheAliases() {
    List<Candidate> candidates =
        IntStream.range(0, 8).mapToObj(port -> candidate(port, route("h", "l", "p"))).toList();
    assertThat(PathSelector.select(candidates, 4).paths())
        .extracting(one -> one.local().getHostAddress())
        .containsExactlyInAnyOrder("10.1.0.1", "10.1.0.1", "10.1.0.2", "10.1.0.2");
  }

  @Test
  void fewerCandidatesThanPathsAreAllTaken() {
    List<Candidate> two = List.of(candidate(1, route("h", "p")), candidate(2, route("h", "p")));
    assertThat(PathSelector.select(two, 4).paths()).containsExactlyInAnyOrderElementsOf(two);
    assertThat(PathSelector.select(List.of(), 4).paths()).isEmpty();
  }
}
