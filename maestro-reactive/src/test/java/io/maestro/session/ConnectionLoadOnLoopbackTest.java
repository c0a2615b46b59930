package io.maestro.session;

class ConnectionLoadOnLoopbackTest extends ConnectionLoadContract {
  @Override
  Rig newRig() {
    return new LoopbackRig();
  }
}
