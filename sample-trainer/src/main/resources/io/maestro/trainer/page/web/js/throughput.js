// What each path carries, one above the other, with the faults that were made.

import { Chart, CURSOR, FONT, axis, css } from "./chart.js";
import { clock, megabytes } from "./format.js";

const SHORTEST_SECONDS = 20;
const MARKS = { cut: "✕ path # cut", slowed: "path # slowed", restored: "path # restored" };

export class Throughput {
  #chart = new Chart("throughput");
  #legend = document.getElementById("throughput-legend");
  #paths = 0;
  #span = 60;
  #marks = [];
  #at = null;
  #state = null;

  constructor() {
    const buttons = document.querySelectorAll("[data-span]");
    for (const button of buttons) {
      button.addEventListener("click", () => {
        this.#span = Number(button.dataset.span);
        buttons.forEach((b) => b.setAttribute("aria-pressed", String(b === button)));
        this.draw(this.#state);
      });
    }
  }

  draw(state) {
    if (!state?.known) {
      return;
    }
    this.#state = state;
    const past = since(state.past);
    const paths = past.at(-1)?.bytesPerSecond.length ?? 0;
    if (paths === 0) {
      this.#chart.clear();
      this.#paths = 0;
      this.#legend.replaceChildren();
      return;
    }
    this.#marks = marks(state.news);
    const data = stack(past, paths);
    if (paths !== this.#paths || !this.#chart.isBuilt) {
      this.#paths = paths;
      this.#nameSeries(paths);
      this.#chart.build(this.#options(paths), data);
    }
    this.#chart.set(data);
    this.#tell();
  }

  #nameSeries(paths) {
    this.#legend.replaceChildren(
      ...Array.from({ length: paths }, (unused, path) => {
        const item = document.createElement("li");
        const swatch = document.createElement("i");
        swatch.style.background = `var(--path-${path % 8})`;
        item.append(swatch, `path ${path} `, document.createElement("b"));
        return item;
      }),
    );
  }

  /** The rates under the pointer, else the latest. */
  #tell() {
    const past = since(this.#state.past);
    const moment = (this.#at === null ? undefined : past[this.#at]) ?? past.at(-1);
    [...this.#legend.children].forEach((item, path) => {
      item.lastChild.textContent = megabytes(moment.bytesPerSecond[path] ?? 0);
    });
  }

  #options(paths) {
    const series = Array.from({ length: paths }, (unused, path) => ({
      stroke: () => css(`--path-${path % 8}`),
      fill: () => `${css(`--path-${path % 8}`)}70`,
      width: 1.5,
      points: { show: false },
    }));
    return {
      padding: [14, 4, 0, 0],
      cursor: CURSOR,
      scales: { x: { time: false, range: (u, min, max) => this.#range(min, max) }, y: { range: (u, min, max) => [0, Math.max(1e6, max * 1.12)] } },
      bands: series.slice(1).map((unused, i) => ({ series: [i + 2, i + 1] })),
      series: [{}, ...series],
      axes: [
        axis((u, ticks) => ticks.map(clock), { size: 26, incrs: [1, 2, 5, 10, 15, 30, 60, 120] }),
        axis((u, ticks) => ticks.map((tick) => `${+(tick / 1e6).toFixed(1)}`), {
          size: 52,
          label: "MB/s",
          labelFont: FONT,
          labelSize: 16,
          labelGap: 0,
        }),
      ],
      hooks: {
        draw: [(u) => this.#drawMarks(u)],
        setCursor: [
          (u) => {
            this.#at = u.cursor.left < 0 ? null : u.cursor.idx;
            this.#tell();
          },
        ],
      },
    };
  }

  #range(first, last) {
    const end = Math.max(last, first + SHORTEST_SECONDS);
    return [Math.max(first, end - this.#span), end];
  }

  #drawMarks(u) {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.font = `600 ${10.5 * ratio}px Inter, system-ui, sans-serif`;
    ctx.lineWidth = ratio;
    ctx.textAlign = "left";
    ctx.setLineDash([4 * ratio, 3 * ratio]);
    const free = [0, 0, 0, 0];
    for (const mark of this.#marks) {
      const x = u.valToPos(mark.at, "x", true);
      if (x < bbox.left || x > bbox.left + bbox.width) {
        continue;
      }
      ctx.strokeStyle = ctx.fillStyle = css(mark.colour);
      const width = ctx.measureText(mark.text).width;
      const isRoom = x + width + 6 * ratio < bbox.left + bbox.width;
      const start = isRoom ? x + 5 * ratio : x - 5 * ratio - width;
      const row = Math.max(0, free.findIndex((end) => end <= start));
      free[row] = start + width + 8 * ratio;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillText(mark.text, start, bbox.top + (10 + 13 * row) * ratio);
    }
    ctx.restore();
  }
}

/** From where anything was carried at all. */
function since(past) {
  const first = past.findIndex((moment) => moment.bytesPerSecond.some((rate) => rate > 0));
  return first < 0 ? [] : past.slice(Math.max(0, first - 1));
}

/** The moments at which the user made or ended a fault. */
function marks(news) {
  return news
    .filter((item) => item.kind === "fault")
    .map((item) => {
      const word = item.text.split(/[ :]/, 1)[0];
      const colour = { cut: "--bad", slowed: "--warn" }[word] ?? "--good";
      return { at: item.at, text: (MARKS[word] ?? `path # ${word}`).replace("#", item.path), colour };
    });
}

function stack(past, paths) {
  const data = [past.map((moment) => moment.at)];
  let below = new Array(past.length).fill(0);
  for (let path = 0; path < paths; path++) {
    below = past.map((moment, i) => below[i] + (moment.bytesPerSecond[path] ?? 0));
    data.push(below);
  }
  return data;
}
