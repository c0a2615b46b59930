package io.maestro.session;

class FailoverOnLoopbackTest extends FailoverContract {
  @Override
  Rig newRig() {
    return new LoopbackRig();
  }
}
