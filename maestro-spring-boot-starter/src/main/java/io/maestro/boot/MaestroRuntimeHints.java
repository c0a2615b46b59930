package io.maestro.boot;

import io.maestro.path.LoadBalancerFactory;
import io.maestro.verbs.VerbsProvider;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep: the services of the library, found by name at run time. */
final class MaestroRuntimeHints implements RuntimeHintsRegistrar {

  @Override
  public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
    register(hints, VerbsProvider.class, classLoader);
    register(hints, LoadBalancerFactory.class, classLoader);
  }

  private static <S> void register(
      RuntimeHints hints, Class<S> service, @Nullable ClassLoader loader) {
    hints.resources().registerPattern("META-INF/services/" + service.getName());
    ServiceLoader.load(service, loader).stream()
        .forEach(
            found ->
                hints
                    .reflection()
                    .registerType(found.type(), MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS));
  }
}
