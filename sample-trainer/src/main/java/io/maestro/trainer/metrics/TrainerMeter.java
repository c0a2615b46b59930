package io.maestro.trainer.metrics;

/** The meters of training; docs/metrics.md lists them. None has tags. */
enum TrainerMeter {
  LOSS("trainer.loss", "gauge", "", "Loss of this worker's part of the last batch"),
  ACCURACY("trainer.accuracy", "gauge", "", "Share of test images told right after the last epoch"),
  STEPS("trainer.steps", "counter", "", "Steps that this worker has ended"),
  SAMPLES("trainer.samples", "counter", "", "Images that this worker has learnt from"),
  STEP_DURATION(
      "trainer.step.duration",
      "timer",
      "seconds",
      "Time from the end of one step to that of the next");

  private final String id;
  private final String kind;
  private final String unit;
  private final String meaning;

  TrainerMeter(String id, String kind, String unit, String meaning) {
    this.id = id;
    this.kind = kind;
    this.unit = unit;
    this.meaning = meaning;
  }

  String id() {
    return id;
  }

  String kind() {
    return kind;
  }

  String unit() {
    return unit;
  }

  String meaning() {
    return meaning;
  }
}
