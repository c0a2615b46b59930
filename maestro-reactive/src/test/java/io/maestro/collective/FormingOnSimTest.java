package io.maestro.collective;

class FormingOnSimTest extends FormingContract {
  @Override
  RankNetwork network(int ranks) {
    return new SimNetwork(13, ranks);
  }
}
