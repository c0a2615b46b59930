package io.maestro.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.maestro.api.Connection;
import io.maestro.verbs.VerbsProvider;
import java.lang.reflect.Method;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

class AheadOfTimeTest {

  @Test
  void theServicesOfTheLibraryAreKept() {
    RuntimeHints hints = new RuntimeHints();
    new MaestroRuntimeHints().registerHints(hints, getClass().getClassLoader());
    assertThat(
            RuntimeHintsPredicates.resource()
                .forResource("META-INF/services/" + VerbsProvider.class.getName()))
        .accepts(hints);
    ServiceLoader.load(VerbsProvider.class).stream()
        .forEach(
            found ->
                assertThat(RuntimeHintsPredicates.reflection().onType(found.type()))
                    .accepts(hints));
  }

  @Test
  void anApplicationIsProcessedAheadOfTimeWithItsListenerMethods() throws Exception {
    var files = new InMemoryGeneratedFiles();
    var names = new ClassNameGenerator(ClassName.get("app", "Hello"));
    var generation = new DefaultGenerationContext(names, files);
    try (var context = new AnnotationConfigApplicationContext()) {
      context.register(DefaultStart.class);
      new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
    }
    generation.writeGeneratedContent();
    Method method = DefaultStart.class.getDeclaredMethod("take", String.class, Connection.class);
    assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(method))
        .accepts(generation.getRuntimeHints());
    assertThat(files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE).keySet())
        .anySatisfy(name -> assertThat(name).contains("MaestroAutoConfiguration"));
  }
}
