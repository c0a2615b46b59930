package io.maestro.ps;

class TrainingOnSimTest extends TrainingContract {
  @Override
  Site newSite() {
    return new SimSite(7);
  }
}
