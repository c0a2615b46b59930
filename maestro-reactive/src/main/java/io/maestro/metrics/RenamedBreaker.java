package io.maestro.metrics;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** A circuit breaker under another name, which meters take their tag from. */
final class RenamedBreaker implements InvocationHandler {
  private final CircuitBreaker breaker;
  private final String name;

  private RenamedBreaker(CircuitBreaker breaker, String name) {
    this.breaker = breaker;
    this.name = name;
  }

  static CircuitBreaker of(CircuitBreaker breaker, String name) {
    return (CircuitBreaker)
        Proxy.newProxyInstance(
            CircuitBreaker.class.getClassLoader(),
            new Class<?>[] {CircuitBreaker.class},
            new RenamedBreaker(breaker, name));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (method.getName().equals("getName")) {
      return name;
    }
    try {
      return method.invoke(breaker, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause() == null ? thrown : thrown.getCause();
    }
  }
}
