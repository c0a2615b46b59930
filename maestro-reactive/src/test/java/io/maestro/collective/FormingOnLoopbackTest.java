package io.maestro.collective;

class FormingOnLoopbackTest extends FormingContract {
  @Override
  RankNetwork network(int ranks) {
    return new LoopbackNetwork();
  }
}
