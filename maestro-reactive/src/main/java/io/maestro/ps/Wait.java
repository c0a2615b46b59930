package io.maestro.ps;

import reactor.core.Disposable;

/** A call that is answered later, or refused when its deadline comes first. */
record Wait(Call call, Disposable deadline) {

  void refuse(Refusal refusal) {
    deadline.dispose();
    call.refuse(refusal);
  }
}
