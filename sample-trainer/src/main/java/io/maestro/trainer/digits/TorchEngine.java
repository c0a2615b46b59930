package io.maestro.trainer.digits;

import ai.djl.engine.Engine;
import ai.djl.util.Platform;
import ai.djl.util.Utils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** Loads PyTorch's native library for DJL, from the class path alone. */
public final class TorchEngine {

  private static final String ENGINE = "PyTorch";

  private TorchEngine() {}

  /**
   * Loads the engine with one thread of computation. The first time on a machine it unpacks some
   * 450 MB into the user's cache, which takes seconds; processes that start together wait for the
   * one that unpacks. Blocks.
   *
   * @param progress is told, in words for the user, what takes long
   * @throws IllegalStateException when there is no library for this platform
   */
  public static Engine load(Consumer<String> progress) {
    // Nothing is fetched at run time, and DJL's usage ping stays off too.
    System.setProperty("ai.djl.offline", "true");
    System.setProperty("OPT_OUT_TRACKING", "true");
    // Workers share the cores, and one thread adds up in the same order every time.
    System.setProperty("ai.djl.pytorch.num_threads", "1");
    System.setProperty("ai.djl.pytorch.num_interop_threads", "1");
    Path cache = Utils.getEngineCacheDir("pytorch");
    try {
      Files.createDirectories(cache);
      return isUnpacked(cache) ? start() : unpackAlone(cache, progress);
    } catch (IOException e) {
      throw new UncheckedIOException("PyTorch cannot be unpacked into " + cache, e);
    }
  }

  private static boolean isUnpacked(Path cache) {
    Platform platform = Platform.detectPlatform("pytorch");
    // DJL unpacks into a folder of another name and renames it when it is complete.
    return Files.isDirectory(
        cache.resolve(
            "%s-%s-%s"
                .formatted(platform.getVersion(), platform.getFlavor(), platform.getClassifier())));
  }

  private static Engine unpackAlone(Path cache, Consumer<String> progress) throws IOException {
    Path lockFile = cache.resolve("maestro-unpack.lock");
    // Closing the channel releases the lock.
    try (FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (channel.tryLock() == null) {
        progress.accept("waiting for another process to unpack PyTorch");
        channel.lock();
      } else {
        progress.accept("unpacking PyTorch (450 MB, only the first time) into " + cache);
      }
      return start();
    }
  }

  private static Engine start() {
    try {
      return Engine.getEngine(ENGINE);
    } catch (RuntimeException | LinkageError e) {
      throw new IllegalStateException(
          "PyTorch cannot be loaded on %s %s: %s"
              .formatted(
                  System.getProperty("os.name"), System.getProperty("os.arch"), e.getMessage()),
          e);
    }
  }
}
