// The trainer's events, for as long as the page is open: also after the trainer went and came back.

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 8_000;
/** Four frames a second are sent: so long a silence is none of the network's making. */
const SILENCE_MS = 5_000;
const EVENTS = ["snapshot", "frame", "epoch", "news", "end"];

/**
 * @param on called with the name and data of each event
 * @param onState called with "open", or with "gone" and the milliseconds until the next attempt
 */
export function connect(on, onState) {
  let source = null;
  let timer = 0;
  let watch = 0;
  let waitMs = FIRST_WAIT_MS;

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource("api/events");
    source.onerror = lost;
    for (const name of EVENTS) {
      source.addEventListener(name, (event) => {
        heard(name);
        on(name, JSON.parse(event.data));
      });
    }
    listen();
  }

  function heard(name) {
    waitMs = FIRST_WAIT_MS;
    if (name === "snapshot") {
      onState("open");
    }
    listen();
  }

  function listen() {
    clearTimeout(watch);
    watch = setTimeout(lost, SILENCE_MS);
  }

  function lost() {
    clearTimeout(watch);
    clearTimeout(timer);
    source?.close();
    onState("gone", waitMs);
    timer = setTimeout(open, waitMs);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }

  open();
  return { retry: open };
}

/** Asks for a fault; throws with the server's words when it refuses. */
export async function order(path, fault) {
  const answer = await fetch(`api/paths/${path}/fault`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fault),
  });
  if (!answer.ok) {
    throw new Error((await answer.text()) || `the trainer answers ${answer.status}`);
  }
}
