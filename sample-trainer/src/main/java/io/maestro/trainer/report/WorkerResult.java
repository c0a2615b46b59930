package io.maestro.trainer.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one worker reports at its end.
 *
 * @param rank its number
 * @param steps how many it took part in
 * @param accuracy at the end, 0 to 1; null when nothing is computed
 * @param losses of each step on its part of the batch; empty when nothing is computed
 * @param sync all it moved
 * @param seconds from its first step to its last
 */
public record WorkerResult(
    int rank,
    int steps,
    @Nullable Double accuracy,
    List<Float> losses,
    SyncFigures sync,
    double seconds) {}
