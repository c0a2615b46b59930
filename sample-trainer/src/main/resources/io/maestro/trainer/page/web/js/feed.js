// What happened, the newest first.

import { clock } from "./format.js";

const MOST_SHOWN = 200;

export class Feed {
  #place = document.getElementById("news");
  #last = null;
  #all = null;

  draw(state) {
    if (!state.known) {
      return;
    }
    if (state.news !== this.#all) {
      this.#all = state.news;
      this.#last = null;
      this.#place.replaceChildren();
    }
    for (const item of state.news.slice(state.news.lastIndexOf(this.#last) + 1)) {
      this.#forget(item);
      this.#place.prepend(line(item));
      this.#last = item;
    }
    while (this.#place.childElementCount > MOST_SHOWN) {
      this.#place.lastElementChild.remove();
    }
  }

  /** Of the attempts in vain to connect a path anew, the latest is enough. */
  #forget(item) {
    if (item.kind === "attempt") {
      this.#place.querySelector(`[data-key="${key(item)}"]`)?.remove();
    }
  }
}

const key = (item) => `${item.kind} ${item.source} ${item.path}`;

function line(item) {
  const row = document.createElement("li");
  row.dataset.kind = item.kind;
  row.dataset.key = key(item);
  if (item.kind === "attempt") {
    // Told again and again: to be seen, not to be read out.
    row.setAttribute("aria-live", "off");
  }
  const what = item.path === null ? item.text : `path ${item.path} ${item.text}`;
  row.append(cell("time", "", clock(item.at)), cell("span", "who", item.source), cell("span", "what", what));
  return row;
}

function cell(tag, className, textContent) {
  return Object.assign(document.createElement(tag), { className, textContent });
}
