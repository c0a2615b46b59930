package io.maestro.session;

class ConnectionLoadOnSimTest extends ConnectionLoadContract {
  @Override
  Rig newRig() {
    return new SimRig(7);
  }
}
