// What the page knows of the run.

/** As much as the server remembers. */
const MOST_PAST = 1_200;
const MOST_NEWS = 200;
const MOST_LOSSES = 4_000;

export function create() {
  return { known: false };
}

export function take(state, name, data) {
  switch (name) {
    case "snapshot":
    case "end":
      Object.assign(state, data, { known: true, phase: data.now.phase });
      break;
    case "frame":
      frame(state, data);
      break;
    case "epoch":
      state.epochs.push(data);
      break;
    case "news":
      state.news.push(data);
      if (state.news.length > 2 * MOST_NEWS) {
        state.news = state.news.slice(-MOST_NEWS);
      }
      break;
  }
}

function frame(state, now) {
  const before = state.now;
  state.now = now;
  state.phase = now.phase;
  if (isLive(state)) {
    state.past.push({ at: now.at, bytesPerSecond: now.paths.map((path) => path.bytesPerSecond) });
    if (state.past.length > MOST_PAST) {
      state.past.shift();
    }
  }
  if (now.loss !== null && now.step > (before?.step ?? 0)) {
    state.losses.push({ step: now.step, loss: now.loss });
    if (state.losses.length > MOST_LOSSES) {
      state.losses = state.losses.filter((point, index) => index % 2 === 0);
    }
  }
}

export const isLive = (state) => state.phase === "STARTING" || state.phase === "RUNNING";

/** The paths that carry data. */
export const usable = (state) =>
  state.now.paths.filter((path) => path.state === "UP" && path.fault.kind !== "CUT");
