package io.maestro.ps;

class TrainingOnLoopbackTest extends TrainingContract {
  @Override
  Site newSite() {
    return new LoopbackSite();
  }
}
