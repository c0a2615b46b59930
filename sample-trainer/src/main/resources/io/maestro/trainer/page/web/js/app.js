// Puts the parts of the page together.

import * as State from "./state.js";
import { connect } from "./stream.js";
import { Tiles } from "./tiles.js";
import { Throughput } from "./throughput.js";
import { Curves } from "./curves.js";
import { Fabric } from "./fabric.js";
import { Paths } from "./paths.js";
import { Feed } from "./feed.js";
import { Banner } from "./banner.js";
import { offerHelp, offerThemes } from "./tools.js";

const state = State.create();
const main = document.getElementById("main");
const banner = new Banner(() => stream.retry());
const parts = [new Tiles(), new Throughput(), new Fabric(), new Paths(), new Curves(), new Feed()];
let drawing = false;

/** At most once for each picture of the screen, and never while nobody looks. */
function draw() {
  if (drawing) {
    return;
  }
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    for (const part of parts) {
      part.draw(state);
    }
    banner.draw(state);
  });
}

const stream = connect(
  (name, data) => {
    State.take(state, name, data);
    main.setAttribute("aria-busy", "false");
    draw();
  },
  (what, waitMs) => {
    banner.line(what, waitMs);
    main.dataset.stale = String(what === "gone" && state.known && State.isLive(state));
    for (const part of parts) {
      part.line?.(what);
    }
    draw();
  },
);

offerThemes(draw);
offerHelp();
addEventListener("resize", draw);
