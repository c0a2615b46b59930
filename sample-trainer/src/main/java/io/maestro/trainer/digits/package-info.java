/** Training a network on handwritten digits with DJL and PyTorch: data, batches, gradients. */
@NullMarked
package io.maestro.trainer.digits;

import org.jspecify.annotations.NullMarked;
