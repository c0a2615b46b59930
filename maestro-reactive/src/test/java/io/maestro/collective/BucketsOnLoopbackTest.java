package io.maestro.collective;

class BucketsOnLoopbackTest extends BucketsContract {
  @Override
  RankNetwork network(int ranks) {
    return new LoopbackNetwork();
  }
}
