package io.maestro.session;

class ConnectionLifecycleOnLoopbackTest extends ConnectionLifecycleContract {
  @Override
  Rig newRig() {
    return new LoopbackRig();
  }
}
