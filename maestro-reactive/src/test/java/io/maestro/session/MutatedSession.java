package io.maestro.session;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** This package once more, tests included, with a fault in one class of it. */
final class MutatedSession extends ClassLoader {
  private static final String PACKAGE = "io.maestro.session.";

  private final Map<String, byte[]> mutated;

  private MutatedSession(Map<String, byte[]> mutated) {
    super(MutatedSession.class.getClassLoader());
    this.mutated = mutated;
  }

  /** What {@link ScenarioProbe} finds with this fault; null for none. */
  @SuppressWarnings("unchecked")
  static LongFunction<String> probe(@Nullable Mutant mutant) throws ReflectiveOperationException {
    Map<String, byte[]> classes =
        mutant == null ? Map.of() : compile(mutant.file(), mutant.source());
    return (LongFunction<String>)
        new MutatedSession(classes)
            .loadClass(ScenarioProbe.class.getName())
            .getDeclaredConstructor()
            .newInstance();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] code = mutated.get(name);
    if (code == null) {
      String file = name.replace('.', '/') + ".class";
      try (InputStream original = getParent().getResourceAsStream(file)) {
        if (original == null) {
          throw new ClassNotFoundException(name);
        }
        code = original.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return defineClass(name, code, 0, code.length);
  }

  private static Map<String, byte[]> compile(String type, String text) {
    Map<String, ByteArrayOutputStream> outputs = new HashMap<>();
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    try (JavaFileManager files =
        new InMemory(compiler.getStandardFileManager(diagnostics, null, null), outputs)) {
      List<String> options =
          List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(null, files, diagnostics, options, null, List.of(new Source(type, text)))
              .call();
      if (!compiled) {
        throw new IllegalStateException(
            "the mutant does not compile: " + diagnostics.getDiagnostics());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, byte[]> classes = new HashMap<>();
    outputs.forEach((name, code) -> classes.put(name, code.toByteArray()));
    return classes;
  }

  /** A source file in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String type, String text) {
      super(URI.create("string:///" + type + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps what is compiled. */
  private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> outputs;

    InMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> outputs) {
      super(files);
      this.outputs = outputs;
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String type, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream code = new ByteArrayOutputStream();
      outputs.put(type, code);
      return new SimpleJavaFileObject(URI.create("mem:///" + type + kind.extension), kind) {
        @Override
        public OutputStream openOutputStream() {
          return code;
        }
      };
    }
  }
}
