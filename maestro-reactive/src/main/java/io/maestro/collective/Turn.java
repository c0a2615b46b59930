package io.maestro.collective;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A call's place in the order of calls. */
record Turn(long number, Sinks.Empty<Void> end) {

  static Turn first() {
    Turn turn = new Turn(0, Sinks.empty());
    turn.finish();
    return turn;
  }

  Turn next() {
    return new Turn(number + 1, Sinks.empty());
  }

  Mono<Void> ended() {
    return end.asMono();
  }

  void finish() {
    end.tryEmitEmpty();
  }
}
