// Numbers and words as people read them.

const TENTHS = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const whole = (value) => WHOLE.format(value);

/** A rate as a number of megabytes. */
export function megabytes(bytesPerSecond) {
  const value = bytesPerSecond / 1e6;
  return value >= 100 ? WHOLE.format(value) : TENTHS.format(value);
}

export const percent = (share, digits = 1) => `${(share * 100).toFixed(digits)} %`;

export const loss = (value) => (value < 0.1 ? value.toFixed(4) : value.toFixed(3));

/** Seconds since the beginning as minutes and seconds. */
export function clock(seconds) {
  const all = Math.max(0, Math.floor(seconds));
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}

export const milliseconds = (value) => (value > 0 ? `${TENTHS.format(value)} ms` : "–");

const STATES = {
  UP: ["up", "good"],
  CONNECTING: ["connecting", "warn"],
  PROBING: ["being probed", "warn"],
  DOWN: ["down", "bad"],
};

const BREAKERS = {
  CLOSED: ["breaker closed", "good"],
  DISABLED: ["breaker disabled", ""],
  HALF_OPEN: ["breaker half open", "warn"],
  OPEN: ["breaker open", "bad"],
  FORCED_OPEN: ["breaker held open", "bad"],
};

const FAULTS = { SLOW: ["slowed by you", "warn"], CUT: ["cut by you", "bad"] };

const lower = (name) => name.toLowerCase().replaceAll("_", " ");

/** Words and mood of a path's state. */
export const state = (name) => STATES[name] ?? [lower(name), "warn"];
export const breaker = (name) => BREAKERS[name] ?? [lower(name), ""];
export const fault = (kind) => FAULTS[kind] ?? null;

/** The mood in which a path is drawn. */
export function mood(path) {
  if (path.fault.kind === "CUT" || path.state === "DOWN") {
    return "bad";
  }
  return path.fault.kind === "SLOW" || path.state !== "UP" ? "warn" : "";
}

/** The colour of a path, as a value of CSS. */
export const colour = (path) => `var(--path-${path % 8})`;

export const plural = (count, one) => `${whole(count)} ${one}${count === 1 ? "" : "s"}`;
