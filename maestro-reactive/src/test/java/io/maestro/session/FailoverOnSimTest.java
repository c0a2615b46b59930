package io.maestro.session;

class FailoverOnSimTest extends FailoverContract {
  @Override
  Rig newRig() {
    return new SimRig(11);
  }
}
