package io.maestro.boot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * A method that takes the messages of a named connection: of every peer, where it listens.
 *
 * <p>Parameters, each at most once and in any order: the message as {@link io.maestro.api.Message},
 * {@code MemorySegment}, {@code ByteBuffer} (read-only; both in place), {@code byte[]} or {@code
 * String} (UTF-8; both copies), and the {@link io.maestro.api.Connection} that it came over, to
 * answer. The message is closed when the method has returned, or when the publisher that it
 * returned has ended; what is in place must not be touched after that.
 *
 * <p>A method that returns a publisher is called on Maestro's delivery scheduler and must not
 * block; its publisher's values are dropped. Any other is called on {@code
 * Schedulers.boundedElastic()} and may block.
 *
 * <p>No more than {@link #concurrency} messages of a connection are in the method at a time, and no
 * others are taken from its peer: its sends wait, and hold no memory here. When the method fails,
 * the {@link MaestroListenerErrorHandler} is called and the next message follows; the sender is not
 * told, and nothing is delivered again. When the application stops, no more messages are taken,
 * those in the method have {@code maestro.shutdown.drain} to end, and then the connections are
 * closed: senders that wait fail with a {@link io.maestro.api.MaestroException.Transient}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
public @interface MaestroListener {

  /** Name of the connection in {@code maestro.connections}. */
  String value();

  /** How many messages of one connection may be in the method at a time, at least 1. */
  int concurrency() default 1;
}
