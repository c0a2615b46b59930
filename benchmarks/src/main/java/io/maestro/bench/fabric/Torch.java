package io.maestro.bench.fabric;

import java.io.IOException;

/** PyTorch of the distribution. */
final class Torch {
  private static final boolean INSTALLED = imports();

  private Torch() {}

  static boolean isInstalled() {
    return INSTALLED;
  }

  private static boolean imports() {
    try {
      return new ProcessBuilder("/usr/bin/python3", "-c", "import torch.distributed")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException absent) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
