package io.maestro.ps;

import io.maestro.api.Region;

/** A worker's request; it is answered exactly once. */
record Call(WorkerLink link, Header header) {

  int rank() {
    return header.rank();
  }

  void answer(long step) {
    link.send(header.answer(Status.OK, step, ""), WorkerLink.NOTHING);
  }

  /** With values, which are retained until they are sent. */
  void answer(long step, Region values) {
    link.send(header.answer(Status.OK, step, ""), values);
  }

  void refuse(Refusal refusal) {
    Header answer = header.answer(refusal.status(), refusal.step(), refusal.text());
    link.send(answer.withArgument(refusal.argument()), WorkerLink.NOTHING);
  }
}
