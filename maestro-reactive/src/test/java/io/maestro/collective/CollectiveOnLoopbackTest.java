package io.maestro.collective;

class CollectiveOnLoopbackTest extends CollectiveContract {
  @Override
  RankNetwork network(int ranks) {
    return new LoopbackNetwork();
  }
}
