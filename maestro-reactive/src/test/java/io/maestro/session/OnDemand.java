package io.maestro.session;

import io.maestro.api.Message;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;

/** Collects messages, and asks for none but those that the test asks for. */
final class OnDemand extends BaseSubscriber<Message> {
  final List<Message> got = new CopyOnWriteArrayList<>();

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    // The test asks.
  }

  @Override
  protected void hookOnNext(Message message) {
    got.add(message);
  }
}
