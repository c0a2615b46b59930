package io.maestro.collective;

class PartsOnLoopbackTest extends PartsContract {
  @Override
  RankNetwork network(int ranks) {
    return new LoopbackNetwork();
  }
}
