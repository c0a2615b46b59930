package io.maestro.session;

class ConnectionLifecycleOnSimTest extends ConnectionLifecycleContract {
  @Override
  Rig newRig() {
    return new SimRig(7);
  }
}
