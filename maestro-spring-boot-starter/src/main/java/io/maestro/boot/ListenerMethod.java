package io.maestro.boot;

import io.maestro.api.Connection;
import io.maestro.api.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A method that takes messages, with how to call it. */
final class ListenerMethod {
  private static final Map<Class<?>, BiFunction<Connection, Message, Object>> ARGUMENTS =
      Map.of(
          Connection.class, (connection, message) -> connection,
          Message.class, (connection, message) -> message,
          MemorySegment.class, (connection, message) -> message.data().asReadOnly(),
          ByteBuffer.class,
              (connection, message) -> message.data().asByteBuffer().asReadOnlyBuffer(),
          byte[].class, (connection, message) -> bytes(message),
          String.class,
              (connection, message) -> new String(bytes(message), StandardCharsets.UTF_8));

  private final Object bean;
  private final Method method;
  private final MaestroListener settings;
  private final List<BiFunction<Connection, Message, Object>> arguments = new ArrayList<>();
  private final @Nullable ReactiveAdapter adapter;

  ListenerMethod(Object bean, Method method, MaestroListener settings) {
    this.bean = bean;
    this.method = method;
    this.settings = settings;
    this.adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(method.getReturnType());
    ReflectionUtils.makeAccessible(method);
    int payloads = 0;
    for (Class<?> type : method.getParameterTypes()) {
      BiFunction<Connection, Message, Object> argument = ARGUMENTS.get(type);
      if (argument == null) {
        throw wrong("cannot be given a " + type.getSimpleName());
      }
      payloads += type == Connection.class ? 0 : 1;
      arguments.add(argument);
    }
    if (payloads > 1 || arguments.size() - payloads > 1) {
      throw wrong("asks for the same twice");
    }
    if (settings.concurrency() < 1) {
      throw wrong("has a concurrency of " + settings.concurrency());
    }
  }

  private MaestroStartException wrong(String what) {
    return MaestroStartException.of(
        "The @MaestroListener method %s %s.".formatted(this, what),
        "Let it take the message once, as Message, MemorySegment, ByteBuffer, byte[] or String, the"
            + " Connection at most once, and let its concurrency be at least 1.");
  }

  String connection() {
    return settings.value();
  }

  int concurrency() {
    return settings.concurrency();
  }

  /** Ends when the message has been dealt with, or with what went wrong. */
  Mono<Void> call(Connection connection, Message message) {
    Mono<Object> call = Mono.fromCallable(() -> invoke(connection, message));
    if (adapter == null) {
      return call.subscribeOn(Schedulers.boundedElastic()).then();
    }
    ReactiveAdapter found = adapter;
    return call.flatMap(result -> Mono.when((Publisher<?>) found.toPublisher(result)));
  }

  private @Nullable Object invoke(Connection connection, Message message) throws Exception {
    Object[] values = arguments.stream().map(a -> a.apply(connection, message)).toArray();
    try {
      return method.invoke(bean, values);
    } catch (InvocationTargetException failed) {
      if (failed.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw failed;
    }
  }

  private static byte[] bytes(Message message) {
    return message.data().toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public String toString() {
    return "%s.%s".formatted(method.getDeclaringClass().getSimpleName(), method.getName());
  }
}
