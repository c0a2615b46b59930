package io.maestro.boot;

import java.lang.reflect.Method;
import java.util.Collection;
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
  private final Map<String, ListenerMethod> byConnection = new ConcurrentSkipListMap<>();

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    Class<?> type = AopUtils.getTargetClass(bean);
    if (AnnotationUtils.isCandidateClass(type, MaestroListener.class)) {
      ReflectionUtils.MethodFilter listens =
          method -> AnnotatedElementUtils.hasAnnotation(method, MaestroListener.class);
      MethodIntrospector.selectMethods(type, listens).forEach(method -> add(bean, method));
    }
    return bean;
  }

  private void add(Object bean, Method method) {
    MaestroListener settings =
        Objects.requireNonNull(
            AnnotatedElementUtils.findMergedAnnotation(method, MaestroListener.class));
    Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
    ListenerMethod added = new ListenerMethod(bean, invocable, settings);
    ListenerMethod there = byConnection.putIfAbsent(settings.value(), added);
    if (there != null && !there.toString().equals(added.toString())) {
      throw MaestroStartException.of(
          "Both %s and %s are to take the messages of '%s'."
              .formatted(there, added, settings.value()),
          "Leave @MaestroListener(\"%s\") on one of them, and let that one call the other."
              .formatted(settings.value()));
    }
  }

  /** Those found so far, by the names of their connections. */
  Collection<ListenerMethod> all() {
    return byConnection.values();
  }
}
