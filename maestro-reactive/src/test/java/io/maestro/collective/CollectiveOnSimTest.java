package io.maestro.collective;

class CollectiveOnSimTest extends CollectiveContract {
  @Override
  RankNetwork network(int ranks) {
    return new SimNetwork(11, ranks);
  }
}
