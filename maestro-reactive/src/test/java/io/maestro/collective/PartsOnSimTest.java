package io.maestro.collective;

class PartsOnSimTest extends PartsContract {
  @Override
  RankNetwork network(int ranks) {
    return new SimNetwork(12, ranks);
  }
}
