// The run in numbers.

import { loss, megabytes, percent, whole } from "./format.js";

export class Tiles {
  #of = (id) => document.getElementById(id);

  draw(state) {
    if (!state.known) {
      return;
    }
    const { job, now, epochs } = state;
    this.#put("tile-step", whole(now.step), `of ${whole(job.steps)}`);
    this.#of("progress").value = Math.min(1, now.step / Math.max(1, job.steps));
    this.#ofModel(job, now, epochs);
    const rate = now.paths.reduce((sum, path) => sum + path.bytesPerSecond, 0);
    this.#put("tile-rate", megabytes(rate), "MB/s");
    this.#health(job, now);
  }

  #ofModel(job, now, epochs) {
    const last = epochs.at(-1);
    if (job.trains) {
      this.#put("tile-loss", now.loss === null ? "–" : loss(now.loss));
      const accuracy = last?.accuracy ?? null;
      this.#put("tile-accuracy", accuracy === null ? "–" : percent(accuracy, 2));
    } else {
      this.#of("tile-loss-name").textContent = "Last step";
      this.#put("tile-loss", last ? last.seconds.toFixed(2) : "–", "s");
      this.#of("tile-accuracy-name").textContent = "Mean step";
      const mean = epochs.reduce((sum, step) => sum + step.seconds, 0) / Math.max(1, epochs.length);
      this.#put("tile-accuracy", last ? mean.toFixed(2) : "–", "s");
    }
  }

  #health(job, now) {
    const up = now.paths.filter((path) => path.state === "UP").length;
    this.#put("tile-up", whole(up), `of ${whole(job.paths)}`);
    const known = now.paths.length > 0;
    this.#mood("tile-up", known && up < job.paths ? (up < 2 ? "bad" : "warn") : "");
    const failovers = now.paths.reduce((sum, path) => sum + path.failovers, 0);
    this.#put("tile-failovers", whole(failovers));
  }

  #mood(id, mood) {
    this.#of(id).parentElement.dataset.mood = mood;
  }

  #put(id, value, unit = "") {
    const place = this.#of(id);
    const text = unit ? `${value} ` : value;
    if (place.dataset.text === text + unit) {
      return;
    }
    place.dataset.text = text + unit;
    place.textContent = text;
    if (unit) {
      place.append(Object.assign(document.createElement("small"), { textContent: unit }));
    }
  }
}
