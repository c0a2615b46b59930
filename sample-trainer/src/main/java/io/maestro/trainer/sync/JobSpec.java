package io.maestro.trainer.sync;

/**
 * What all processes of a run must agree on before the first step.
 *
 * @param model name of the model
 * @param parameters number of float32 parameters
 * @param workers number of workers at the start
 * @param servers number of parameter servers; each holds a part of the parameters
 * @param batch images in a step over all workers; 0 when nothing is computed
 * @param seed decides the initial parameters and the batches
 */
public record JobSpec(
    String model, long parameters, int workers, int servers, int batch, long seed) {

  /** The part of the parameters that a server holds. */
  public Shard shard(int server) {
    return Shard.of(parameters, server, servers);
  }

  /** All values in words: what two processes compare, and what a mismatch shows. */
  public String describe() {
    return "model %s with %d parameters, %d workers, %d servers, batch %d, seed %d"
        .formatted(model, parameters, workers, servers, batch, seed);
  }
}
