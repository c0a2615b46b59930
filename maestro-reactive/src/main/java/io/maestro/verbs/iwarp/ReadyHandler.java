package io.maestro.verbs.iwarp;

import java.nio.channels.SelectionKey;

/** What a selection key is attached to. */
interface ReadyHandler {

  /** The channel is ready for what {@link SelectionKey#readyOps()} says. */
  void onReady(SelectionKey key);
}
