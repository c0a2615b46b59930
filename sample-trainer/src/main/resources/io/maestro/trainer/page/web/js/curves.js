// How well the model has learnt; for one that is not computed, how long its steps take.

import { Chart, CURSOR, axis, css } from "./chart.js";
import { loss, percent, whole } from "./format.js";

const of = (id) => document.getElementById(id);

export class Curves {
  #loss = new Chart("loss");
  #accuracy = new Chart("accuracy");
  #job = null;

  draw(state) {
    if (!state.known) {
      return;
    }
    if (JSON.stringify(state.job) !== JSON.stringify(this.#job)) {
      this.#job = state.job;
      this.#loss.clear();
      this.#accuracy.clear();
      this.#name(state.job.trains);
    }
    if (state.job.trains) {
      this.#drawLoss(state.losses);
      this.#drawAccuracy(state.epochs.filter((epoch) => epoch.accuracy !== null));
    } else {
      this.#drawSteps(state.epochs);
    }
  }

  #name(trains) {
    of("main").dataset.trains = String(trains);
    of("accuracy-title").textContent = trains ? "Test accuracy" : "Time of each step";
    of("accuracy").setAttribute("aria-label", trains ? "Test accuracy after each epoch" : "Seconds of each step");
    of("accuracy").querySelector(".empty").textContent = trains ? "No epoch has ended yet." : "No step has ended yet.";
  }

  #drawLoss(points) {
    const losses = points.map((point) => Math.max(point.loss, 1e-6));
    const data = [points.map((point) => point.step), losses, calm(losses)];
    of("loss-note").textContent = points.length ? `${loss(points.at(-1).loss)} at step ${whole(points.at(-1).step)}` : "";
    show(this.#loss, data, () =>
      options({
        stroke: "--path-0",
        points: false,
        isNoisy: true,
        x: (u, min, max) => [0, ahead(max, this.#job.steps, 50)],
        y: { distr: 3 },
        grid: { filter: (u, ticks) => ticks.map((tick) => (isDecade(tick) ? tick : null)) },
        xAxis: counts,
        yAxis: (u, ticks) => ticks.map((tick) => (tick === null ? "" : `${tick}`)),
      }),
    );
  }

  #drawAccuracy(epochs) {
    const data = [epochs.map((epoch) => epoch.number), epochs.map((epoch) => epoch.accuracy)];
    const last = epochs.at(-1);
    of("accuracy-note").textContent = last ? `${percent(last.accuracy, 2)} after epoch ${last.number} of ${last.of}` : "";
    show(this.#accuracy, data, () =>
      options({
        stroke: "--path-3",
        points: true,
        x: (u, min, max) => [0.5, ahead(max, this.#job.epochs, 5) + 0.5],
        y: { range: (u, min, max) => [Math.max(0, min - Math.max(0.02, (1 - min) * 0.4)), 1] },
        xAxis: counts,
        yAxis: (u, ticks) => ticks.map((tick) => percent(tick, tick % 0.1 < 1e-9 ? 0 : 1)),
      }),
    );
  }

  #drawSteps(steps) {
    const data = [steps.map((step) => step.number), steps.map((step) => step.seconds)];
    const last = steps.at(-1);
    of("accuracy-note").textContent = last ? `${last.seconds.toFixed(2)} s for step ${last.number} of ${last.of}` : "";
    show(this.#accuracy, data, () =>
      options({
        stroke: "--path-0",
        points: steps.length < 100,
        x: (u, min, max) => [0, ahead(max, this.#job.steps, 10)],
        y: { range: (u, min, max) => [0, max * 1.15] },
        xAxis: counts,
        yAxis: (u, ticks) => ticks.map((tick) => `${+tick.toFixed(2)} s`),
      }),
    );
  }
}

function show(chart, data, makeOptions) {
  if (data[0].length === 0) {
    chart.clear();
    return;
  }
  if (!chart.isBuilt) {
    chart.build(makeOptions(), data);
  }
  chart.set(data);
}

const counts = (u, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? whole(tick) : ""));

/** The end of an axis: what has come so far and some of what is to come. */
const ahead = (last, all, least) => Math.min(all, Math.max(least, Math.ceil((last ?? 0) * 1.25)));

/** The same without most of its noise, as one follows it with the eyes. */
function calm(values) {
  let mean = values[0];
  return values.map((value) => (mean += (value - mean) * 0.12));
}

const isDecade = (value) => Math.abs(Math.log10(value) % 1) < 1e-9;

function options({ stroke, points, x, y, xAxis, yAxis, grid = {}, isNoisy = false }) {
  const line = {
    stroke: () => css(stroke),
    fill: () => `${css(stroke)}18`,
    width: 2,
    points: { show: points, size: 7, fill: () => css(stroke) },
  };
  const noise = { stroke: () => `${css(stroke)}66`, width: 1, points: { show: false } };
  const upright = axis(yAxis, { size: 50 });
  return {
    padding: [10, 18, 0, 0],
    cursor: CURSOR,
    scales: { x: { time: false, range: x }, y },
    series: isNoisy ? [{}, noise, line] : [{}, line],
    axes: [axis(xAxis, { size: 26 }), { ...upright, grid: { ...upright.grid, ...grid } }],
  };
}
