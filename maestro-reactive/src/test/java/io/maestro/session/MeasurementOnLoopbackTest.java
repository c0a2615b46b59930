package io.maestro.session;

class MeasurementOnLoopbackTest extends MeasurementContract {
  @Override
  Rig newRig() {
    return new LoopbackRig();
  }
}
