// A card for each path, with the buttons that make it fail.

import * as format from "./format.js";
import { isLive, usable } from "./state.js";
import { order } from "./stream.js";

const KEYS = { s: "SLOW", c: "CUT", r: "NONE" };
const LABELS = { SLOW: "Slow", CUT: "Cut", NONE: "Restore" };
/** Below it a path seems to be dead rather than slow: one chunk takes a tenth of a second. */
const LEAST_BYTES_PER_SECOND = 500_000;
const RECENT = 40;
const TOAST_MS = 6_000;

export class Paths {
  #place = document.getElementById("cards");
  #shares = document.getElementById("shares");
  #toast = document.getElementById("toast");
  #dialog = document.getElementById("last-path");
  #cards = [];
  #gone = false;
  #state = null;
  #timer = 0;

  constructor() {
    this.#place.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) {
        this.#ask(Number(button.closest(".card").dataset.path), button.dataset.act);
      }
    });
    this.#place.addEventListener("keydown", (event) => this.#key(event));
  }

  line(what) {
    this.#gone = what === "gone";
  }

  draw(state) {
    if (!state.known) {
      return;
    }
    this.#state = state;
    const paths = state.now.paths;
    if (paths.length !== this.#cards.length && (paths.length > 0 || state.phase === "STARTING")) {
      this.#build(paths);
    }
    paths.forEach((path, i) => this.#cards[i].show(path, this.#refusal(state)));
    this.#drawShares(paths);
  }

  #build(paths) {
    this.#cards = paths.map((path) => new Card(path));
    const empty = Object.assign(document.createElement("p"), { className: "empty", textContent: "Waiting for the first path." });
    this.#place.replaceChildren(...(paths.length ? this.#cards.map((card) => card.element) : [empty]));
    this.#shares.replaceChildren(
      ...paths.map((path) => {
        const share = document.createElement("i");
        share.style.background = format.colour(path.path);
        return share;
      }),
    );
  }

  #drawShares(paths) {
    const all = paths.reduce((sum, path) => sum + path.weight, 0) || 1;
    [...this.#shares.children].forEach((share, i) => {
      share.style.width = `${((paths[i]?.weight ?? 0) / all) * 100}%`;
    });
    const words = paths.map((path) => `path ${path.path} ${format.percent(path.weight, 0)}`);
    this.#shares.setAttribute("aria-label", `Weights of the paths: ${words.join(", ")}`);
  }

  /** Why no fault can be made now; empty when one can. */
  #refusal(state) {
    if (this.#gone) {
      return "The trainer does not answer.";
    }
    return isLive(state) ? "" : "The run is over.";
  }

  #key(event) {
    const card = event.target.closest(".card");
    if (!card || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const act = KEYS[event.key.toLowerCase()];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (act) {
      this.#ask(Number(card.dataset.path), act);
    } else if (step) {
      event.preventDefault();
      const to = this.#place.children[[...this.#place.children].indexOf(card) + step];
      to?.querySelector(`[data-act="${event.target.dataset.act}"]`).focus();
    }
  }

  async #ask(number, act) {
    const path = this.#state.now.paths.find((one) => one.path === number);
    if (this.#refusal(this.#state) || !path || path.fault.kind === act) {
      return;
    }
    if (act === "CUT" && !(await this.#mayCut(path))) {
      return;
    }
    try {
      await order(number, act === "SLOW" ? { kind: act, bytesPerSecond: this.#tenth(path) } : { kind: act });
    } catch (problem) {
      this.#complain(`${LABELS[act]} path ${number}: ${problem.message}`);
    }
  }

  /** A tenth of what it has carried of late, for each end of each of its queue pairs. */
  #tenth(path) {
    const { workers, servers } = this.#state.job;
    const recent = this.#state.past.slice(-RECENT).map((moment) => moment.bytesPerSecond[path.path] ?? 0);
    const mean = recent.reduce((sum, rate) => sum + rate, 0) / Math.max(1, recent.length);
    return Math.max(LEAST_BYTES_PER_SECOND, Math.round(mean / 10 / (2 * workers * servers)));
  }

  #mayCut(path) {
    if (usable(this.#state).some((other) => other.path !== path.path)) {
      return true;
    }
    this.#dialog.returnValue = "no";
    this.#dialog.showModal();
    return new Promise((resolve) => {
      this.#dialog.addEventListener("close", () => resolve(this.#dialog.returnValue === "yes"), { once: true });
    });
  }

  #complain(text) {
    this.#toast.textContent = text;
    this.#toast.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#toast.hidden = true;
    }, TOAST_MS);
  }
}

class Card {
  constructor(path) {
    const template = document.getElementById("card").content.cloneNode(true);
    this.element = template.firstElementChild;
    this.element.dataset.path = path.path;
    this.element.setAttribute("aria-label", `Path ${path.path}`);
    this.element.style.setProperty("--colour", format.colour(path.path));
    for (const button of this.element.querySelectorAll("button")) {
      button.setAttribute("aria-label", `${LABELS[button.dataset.act]} path ${path.path}`);
    }
  }

  #put(name, text) {
    const place = this.element.querySelector(`[data-is="${name}"]`);
    if (place.textContent !== text) {
      place.textContent = text;
    }
  }

  show(path, refusal) {
    this.element.dataset.state = path.state;
    this.element.dataset.fault = path.fault.kind;
    this.#put("name", `Path ${path.path}`);
    this.#put("nic", path.virtualNic);
    this.#put("rate", format.megabytes(path.bytesPerSecond));
    this.#put("weight", format.percent(path.weight));
    this.#put("rtt", format.milliseconds(path.rttMs));
    this.#put("failovers", format.whole(path.failovers));
    this.element.querySelector(".meter i").style.width = `${Math.min(100, path.weight * 100)}%`;
    this.#pills(path);
    this.#buttons(path, refusal);
  }

  #pills(path) {
    const wanted = [format.state(path.state), format.breaker(path.breaker), format.fault(path.fault.kind)].filter(Boolean);
    const place = this.element.querySelector(".pills");
    const key = wanted.flat().join();
    if (place.dataset.key !== key) {
      place.dataset.key = key;
      place.replaceChildren(
        ...wanted.map(([text, mood]) => {
          const pill = Object.assign(document.createElement("span"), { className: "pill", textContent: text });
          pill.dataset.mood = mood;
          return pill;
        }),
      );
    }
  }

  /** Not really disabled: what has the focus must not lose it when it has been pressed. */
  #buttons(path, refusal) {
    for (const button of this.element.querySelectorAll("button")) {
      const isSet = path.fault.kind === button.dataset.act;
      button.setAttribute("aria-disabled", String(refusal !== "" || isSet));
      if (button.dataset.act !== "NONE") {
        button.setAttribute("aria-pressed", String(isSet));
      }
      button.title = refusal;
    }
  }
}
