package io.maestro.session;

class ConnectionOnSimTest extends ConnectionContract {
  @Override
  Rig newRig() {
    return new SimRig(7);
  }
}
