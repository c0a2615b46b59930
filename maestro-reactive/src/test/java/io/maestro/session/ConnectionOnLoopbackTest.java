package io.maestro.session;

class ConnectionOnLoopbackTest extends ConnectionContract {
  @Override
  Rig newRig() {
    return new LoopbackRig();
  }
}
