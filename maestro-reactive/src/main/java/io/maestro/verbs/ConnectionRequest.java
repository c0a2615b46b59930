package io.maestro.verbs;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** A peer that asks to connect a queue pair. Answer once; a second answer is ignored. */
public interface ConnectionRequest {

  /** The address that the peer connected to. */
  InetSocketAddress local();

  /** The peer's address. */
  InetSocketAddress remote();

  /** What the peer sent with its request; read-only, valid as long as the request is. */
  ByteBuffer privateData();

  /**
   * Accepts: the handler gets {@link QueuePairHandler#onCreated}, then {@link
   * QueuePairHandler#onEstablished} with empty private data, or {@link QueuePairHandler#onClosed},
   * on {@link QpOptions#loop()}.
   *
   * @param privateData sent to the peer, copied before this returns
   * @throws IllegalArgumentException as {@link Device#connect} does; the request is still open then
   */
  void accept(QpOptions options, ByteBuffer privateData, QueuePairHandler handler);

  /**
   * Rejects: the peer's connect fails with {@link VerbsException.Kind#REJECTED}.
   *
   * @param privateData sent to the peer, copied before this returns; the peer finds it in {@link
   *     VerbsException#privateData()}
   * @throws IllegalArgumentException when it exceeds {@link DeviceLimits#maxPrivateDataBytes()};
   *     the request is still open then
   */
  void reject(ByteBuffer privateData);
}
