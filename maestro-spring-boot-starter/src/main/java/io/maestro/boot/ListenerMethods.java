package io.maestro.boot;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the methods of beans that take messages. */
final class ListenerMethods implements BeanPostProcessor {
  private final Map<String, Found> byConnection = new ConcurrentSkipListMap<>();

  private record Found(String bean, ListenerMethod method) {}

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    Class<?> type = AopUtils.getTargetClass(bean);
    if (AnnotationUtils.isCandidateClass(type, MaestroListener.class)) {
      ReflectionUtils.MethodFilter listens =
          method -> AnnotatedElementUtils.hasAnnotation(method, MaestroListener.class);
      MethodIntrospector.selectMethods(type, listens)
          .forEach(method -> add(beanName, bean, method));
    }
    return bean;
  }

  private void add(String name, Object bean, Method method) {
    MaestroListener settings =
        Objects.requireNonNull(
            AnnotatedElementUtils.findMergedAnnotation(method, MaestroListener.class));
    Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
    Found added = new Found(name, new ListenerMethod(bean, invocable, settings));
    Found there = byConnection.putIfAbsent(settings.value(), added);
    if (there != null) {
      throw twice(there, added, settings.value());
    }
  }

  private static MaestroStartException twice(Found first, Found second, String connection) {
    if (first.bean.equals(second.bean)) {
      return MaestroStartException.of(
          "The bean '%s', whose method %s takes the messages of '%s', has been made more than once."
              .formatted(first.bean, first.method, connection),
          "Let it be a singleton, which is what beans are unless @Scope says otherwise.");
    }
    return MaestroStartException.of(
        "Both %s of the bean '%s' and %s of the bean '%s' are to take the messages of '%s'."
            .formatted(first.method, first.bean, second.method, second.bean, connection),
        "Leave @MaestroListener(\"%s\") on one bean, and let that one call the other."
            .formatted(connection));
  }

  /** Those found so far, by the names of their connections. */
  List<ListenerMethod> all() {
    return byConnection.values().stream().map(Found::method).toList();
  }
}
