package io.maestro.ps;

class MembershipOnLoopbackTest extends MembershipContract {
  @Override
  Site newSite(long seed) {
    return new LoopbackSite();
  }
}
