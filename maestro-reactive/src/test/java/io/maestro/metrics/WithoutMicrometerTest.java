package io.maestro.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Enumeration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** An application that has no Micrometer. */
class WithoutMicrometerTest {

  /** Sends over a simulated fabric. */
  public static final class Application implements Callable<Object> {
    @Override
    public Object call() {
      try (SimPeers peers = new SimPeers()) {
        peers.send(peers.connect(peers.maestro()), 1 << 20);
        return peers.accepted.size();
      }
    }
  }

  /** Loads all classes of the test's class path anew, but none of Micrometer. */
  private static final class Loader extends ClassLoader {
    private final ClassLoader all = WithoutMicrometerTest.class.getClassLoader();

    Loader() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.contains(".micrometer.")) {
        throw new ClassNotFoundException(name);
      }
      try (InputStream file = all.getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (file == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = file.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException broken) {
        throw new ClassNotFoundException(name, broken);
      }
    }

    @Override
    protected URL findResource(String name) {
      return all.getResource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
      return all.getResources(name);
    }
  }

  @Test
  void sendsAsWithIt() throws Exception {
    Loader loader = new Loader();
    assertThatThrownBy(() -> loader.loadClass("io.micrometer.core.instrument.MeterRegistry"))
        .isInstanceOf(ClassNotFoundException.class);
    Class<?> application = loader.loadClass(Application.class.getName());
    assertThat(application.getClassLoader()).isSameAs(loader);
    var run = (Callable<?>) application.getDeclaredConstructor().newInstance();
    assertThat(run.call()).isEqualTo(1);
  }
}
