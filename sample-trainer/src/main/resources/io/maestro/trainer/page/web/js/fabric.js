// Workers, paths and servers, with routes coloured by what they carry.

import { colour, megabytes, mood } from "./format.js";

const SVG = "http://www.w3.org/2000/svg";
/** The scale forgets a peak slowly: by half in half a minute. */
const FORGET = 0.994;
const LEAST_PEAK = 200_000;
/** Below this a route is drawn at rest. */
const IDLE = 0.01;

export class Fabric {
  #place = document.getElementById("fabric");
  #high = document.getElementById("ramp-high");
  #shape = "";
  #edges = new Map();
  #nodes = new Map();
  #peak = LEAST_PEAK;

  draw(state) {
    if (!state.known) {
      return;
    }
    const { routes, paths } = state.now;
    if (routes.length > 0) {
      this.#layOut(state.job, routes, paths);
      this.#colour(routes, paths);
    } else if (state.phase === "STARTING") {
      this.#empty();
    }
  }

  #empty() {
    this.#shape = "";
    this.#place.querySelector("svg")?.remove();
    this.#place.querySelector(".empty").hidden = false;
  }

  #layOut(job, routes, paths) {
    const { clientWidth: width, clientHeight: height } = this.#place;
    const workers = [...new Set(routes.map((route) => route.worker))];
    const servers = [...new Set(routes.map((route) => route.server))].sort((a, b) => a - b);
    const shape = JSON.stringify([width, height, workers, servers, paths.map((path) => path.path)]);
    if (shape === this.#shape || width === 0) {
      return;
    }
    this.#shape = shape;
    this.#empty();
    this.#shape = shape;
    this.#place.querySelector(".empty").hidden = true;
    const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
    const side = Math.min(84, width * 0.22);
    const middle = Math.min(116, width * 0.3);
    const left = column(workers, 1, side, height);
    const centre = column(paths.map((path) => path.path), (width - middle) / 2, middle, height);
    const right = column(servers, width - side - 1, side, height);
    this.#edges.clear();
    this.#join(svg, left, centre, (worker, path) => `${worker}|${path}`);
    this.#join(svg, centre, right, (path, server) => `${path}>${server}`);
    this.#nodes.clear();
    left.forEach((box, worker) => svg.append(node(box, worker)));
    right.forEach((box, server) => svg.append(node(box, `server ${server}`)));
    for (const path of paths) {
      const element = node(centre.get(path.path), `path ${path.path}`, path.virtualNic);
      element.classList.add("path");
      element.style.setProperty("--colour", colour(path.path));
      this.#nodes.set(path.path, element);
      svg.append(element);
    }
    this.#place.append(svg);
  }

  #join(svg, from, to, key) {
    from.forEach((start, a) => {
      to.forEach((end, b) => {
        const d = curve(start, end);
        const route = make("path", { d, class: "route" });
        const flow = make("path", { d, class: "flow", "data-idle": "true" });
        route.append(make("title", {}));
        svg.append(route, flow);
        this.#edges.set(key(a, b), { route, flow });
      });
    });
  }

  #colour(routes, paths) {
    const rates = new Map();
    const add = (key, rate) => rates.set(key, (rates.get(key) ?? 0) + rate);
    for (const route of routes) {
      add(`${route.worker}|${route.path}`, route.bytesPerSecond);
      add(`${route.path}>${route.server}`, route.bytesPerSecond);
    }
    this.#peak = Math.max(LEAST_PEAK, this.#peak * FORGET, ...rates.values());
    this.#high.textContent = `${megabytes(this.#peak)} MB/s`;
    const moods = new Map(paths.map((path) => [path.path, mood(path)]));
    for (const [key, edge] of this.#edges) {
      const path = Number(key.includes("|") ? key.split("|")[1] : key.split(">")[0]);
      paint(edge, rates.get(key) ?? 0, this.#peak, moods.get(path) ?? "");
    }
    this.#nodes.forEach((element, path) => {
      element.dataset.mood = moods.get(path) ?? "";
    });
    const down = paths.filter((path) => moods.get(path.path) === "bad").map((path) => `path ${path.path}`);
    const words = down.length ? `${down.join(" and ")} carries nothing` : "all paths carry data";
    this.#place.querySelector("svg").setAttribute("aria-label", `Workers, paths and servers: ${words}`);
  }
}

function paint({ route, flow }, rate, peak, mood) {
  const load = Math.min(1, rate / peak);
  route.style.setProperty("--load", load.toFixed(2));
  route.dataset.mood = mood;
  route.firstChild.textContent = `${megabytes(rate)} MB/s`;
  flow.dataset.idle = String(load < IDLE || mood === "bad");
  // A few steps only: each change of the pace lets the dots jump.
  flow.style.setProperty("--pace", `${[2.4, 1.5, 0.9, 0.6][Math.min(3, Math.floor(load * 4))]}s`);
}

function column(names, x, width, height) {
  const boxes = new Map();
  const pitch = height / names.length;
  const tall = Math.min(38, Math.max(8, pitch - 6));
  names.forEach((name, i) => {
    boxes.set(name, { x, y: pitch * (i + 0.5) - tall / 2, width, height: tall });
  });
  return boxes;
}

function curve(from, to) {
  const x1 = from.x + from.width;
  const y1 = from.y + from.height / 2;
  const y2 = to.y + to.height / 2;
  const bend = (to.x - x1) / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${to.x - bend} ${y2} ${to.x} ${y2}`;
}

function node(box, title, detail = "") {
  const group = make("g", { class: "node" });
  group.append(make("rect", { ...box, rx: 8 }));
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const isTall = detail !== "" && box.height >= 32;
  if (box.height >= 14) {
    group.append(label(x, isTall ? y - 7 : y, title, ""));
  }
  if (isTall) {
    group.append(label(x, y + 8, detail, "small"));
  }
  return group;
}

function label(x, y, text, name) {
  const element = make("text", { x, y, class: name });
  element.textContent = text;
  return element;
}

function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  return element;
}
