package io.maestro.collective;

class BucketsOnSimTest extends BucketsContract {
  @Override
  RankNetwork network(int ranks) {
    return new SimNetwork(17, ranks);
  }
}
