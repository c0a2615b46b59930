// Says in words how the run and the line to the trainer are.

const PHASES = {
  LOADING: "Loading",
  STARTING: "Starting",
  RUNNING: "Running",
  DONE: "Done",
  FAILED: "Failed",
  GONE: "No answer",
};

export class Banner {
  #banner = document.getElementById("banner");
  #phase = document.getElementById("phase");
  #phaseText = document.getElementById("phase-text");
  #job = document.getElementById("job");
  #again = document.createElement("button");
  #gone = false;
  #shown = "";

  constructor(retry) {
    this.#again.type = "button";
    this.#again.textContent = "Try now";
    this.#again.addEventListener("click", retry);
  }

  line(what) {
    this.#gone = what === "gone";
  }

  draw(state) {
    const phase = this.#gone && !(state.known && isOver(state)) ? "GONE" : (state.phase ?? "LOADING");
    this.#phase.dataset.phase = phase;
    this.#phaseText.textContent = PHASES[phase];
    if (state.known) {
      this.#job.textContent = describe(state.job);
      document.title = `${PHASES[phase]} · ${state.job.model} · Maestro trainer`;
    }
    this.#say(...this.#words(state));
  }

  #words(state) {
    if (this.#gone && !(state.known && isOver(state))) {
      const what = state.known
        ? "The trainer does not answer any more. What you see is the last it told; this page goes on as soon as it is back."
        : "The trainer does not answer. This page begins as soon as it is there.";
      return [what, "error", true];
    }
    if (state.phase === "DONE") {
      return [`${state.now.summary}.${this.#gone ? " The trainer has ended; start it again and this page follows." : ""}`, "good", false];
    }
    if (state.phase === "FAILED") {
      return [`The run failed: ${state.now.summary}`, "error", false];
    }
    return ["", "", false];
  }

  /** Touches the document only when there is something new, so that it is read out once. */
  #say(text, kind, canRetry) {
    if (text === this.#shown) {
      return;
    }
    this.#shown = text;
    this.#banner.hidden = text === "";
    this.#banner.dataset.kind = kind;
    this.#banner.textContent = text;
    if (canRetry) {
      this.#banner.append(this.#again);
    }
  }
}

const isOver = (state) => state.phase === "DONE" || state.phase === "FAILED";

function describe(job) {
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const what = job.trains ? `training ${job.model}` : `synchronising ${job.model}`;
  return `${what} · ${count(job.workers, "worker")} · ${count(job.servers, "server")} · ${count(job.paths, "path")}`;
}
