// What all charts share: size, colours and axes.

import uPlot from "../lib/uPlot.esm.js";

const FONT = '11px Inter, ui-sans-serif, system-ui, "Segoe UI", Roboto, sans-serif';

/** The value of a colour, which is another one in the other theme. */
export const css = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A chart that fills an element of the page. */
export class Chart {
  #place;
  #plot = null;
  #colours = "";

  constructor(id) {
    this.#place = document.getElementById(id);
    new ResizeObserver(() => this.#fit()).observe(this.#place);
  }

  get isBuilt() {
    return this.#plot !== null;
  }

  /** Makes a new one of the options, in the place of the one before. */
  build(options, data) {
    this.clear();
    this.#place.querySelector(".empty")?.toggleAttribute("hidden", true);
    this.#plot = new uPlot({ ...options, ...this.#size(), legend: { show: false } }, data, this.#place);
  }

  /** Empties it again. */
  clear() {
    this.#plot?.destroy();
    this.#plot = null;
    this.#place.querySelector(".empty")?.toggleAttribute("hidden", false);
  }

  set(data) {
    const colours = css("--ground");
    const isNew = colours !== this.#colours;
    this.#colours = colours;
    this.#plot.setData(data);
    if (isNew) {
      this.#plot.redraw(false, true);
    }
  }

  #size() {
    return { width: this.#place.clientWidth, height: this.#place.clientHeight };
  }

  #fit() {
    const size = this.#size();
    if (this.#plot && size.width > 0) {
      this.#plot.setSize(size);
    }
  }
}

/** An axis in the colours of the page. */
export function axis(values, more = {}) {
  return {
    font: FONT,
    stroke: () => css("--soft"),
    grid: { stroke: () => css("--line"), width: 1 },
    ticks: { show: false },
    values,
    ...more,
  };
}

export const CURSOR = { y: false, points: { size: 7, width: 2 }, drag: { x: false, y: false } };
export { FONT };
