package io.maestro.trainer;

import io.maestro.trainer.browser.Tab;
import tools.jackson.databind.JsonNode;

/**
 * What a user sees on the page and does there.
 *
 * @param url where the page is
 */
record LivePageDriver(Tab tab, String url) {

  private static final String STEP =
      "Number.parseInt(document.querySelector('#tile-step').textContent.replaceAll(',', ''), 10)";

  /** Waits until steps are made over so many paths. */
  void awaitTraining(int paths) {
    tab.await("document.querySelector('#phase').dataset.phase === 'RUNNING'");
    tab.await("document.querySelectorAll('.card').length === " + paths);
    awaitStep(40);
  }

  /** How far the training is. */
  long step() {
    return tab.value(STEP).longValue();
  }

  /** Lets the training go on for some steps, and returns the moment before them. */
  double goOn(int steps) {
    double before = now();
    awaitStep(step() + steps);
    return before;
  }

  private void awaitStep(long step) {
    tab.await(STEP + " >= " + step);
  }

  /** A path's button, as a selector. */
  String button(int path, String act) {
    return ".card[data-path=\"%d\"] [data-act=%s]".formatted(path, act);
  }

  /** An expression: whether a path's card has these words. */
  String says(int path, String words) {
    return "document.querySelector('.card[data-path=\"%d\"] .pills').textContent.includes('%s')"
        .formatted(path, words);
  }

  /** An expression: what a path carries, in MB/s. */
  String rate(int path) {
    return "Number.parseFloat(document.querySelector('.card[data-path=\"%d\"] [data-is=rate]').textContent)"
        .formatted(path);
  }

  /** An expression: whether a chart has a line in a colour. */
  String paints(String chart, String colour) {
    return """
        (() => {
          const canvas = document.querySelector('#%s canvas');
          const hex = getComputedStyle(document.documentElement).getPropertyValue('%s').trim();
          const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
          const copy = new OffscreenCanvas(canvas.width, canvas.height);
          const context = copy.getContext('2d', { willReadFrequently: true });
          context.drawImage(canvas, 0, 0);
          const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
          let found = 0;
          for (let i = 0; i < data.length; i += 4) {
            const off = Math.abs(data[i] - r) + Math.abs(data[i + 1] - g) + Math.abs(data[i + 2] - b);
            found += data[i + 3] > 150 && off < 40 ? 1 : 0;
          }
          return found > 20;
        })()"""
        .formatted(chart, colour);
  }

  /** The moment of the run, in seconds. */
  double now() {
    return tab.value("fetch('api/run').then((answer) => answer.json()).then(({ now }) => now.at)")
        .doubleValue();
  }

  /** What a slowed path carried a second since a moment, of what it may. */
  double ofItsLimit(int path, double since) {
    return tab.value(
            """
            fetch('api/run').then((answer) => answer.json()).then(({ job, now, past }) => {
              const rates = past.filter(({ at }) => at > %s).map((moment) => moment.bytesPerSecond[%d]);
              const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
              const { fault } = now.paths.find((one) => one.path === %d);
              return mean / (fault.bytesPerSecond * 2 * job.workers * job.servers);
            })"""
                .formatted(since, path, path))
        .doubleValue();
  }

  /** A path's share of what was carried since a moment. */
  double share(int path, double since) {
    JsonNode rates =
        tab.value(
            """
            fetch('api/run').then((answer) => answer.json()).then(({ past }) => {
              const recent = past.filter(({ at }) => at > %s).map((moment) => moment.bytesPerSecond);
              return recent[0].map((unused, path) => recent.reduce((sum, all) => sum + all[path], 0));
            })"""
                .formatted(since));
    double all = 0;
    for (JsonNode rate : rates) {
      all += rate.doubleValue();
    }
    return rates.get(path).doubleValue() / all;
  }

  /** All that happened, in words. */
  String feed() {
    return text("#news");
  }

  String text(String selector) {
    return tab.value("document.querySelector('%s').textContent".formatted(selector)).stringValue();
  }

  String attribute(String selector, String name) {
    return tab.value("document.querySelector('%s').getAttribute('%s')".formatted(selector, name))
        .stringValue();
  }

  /** Whether nothing sticks out at the side. */
  boolean fits() {
    return tab.value("document.documentElement.scrollWidth <= innerWidth").booleanValue();
  }

  /** Waits until the charts have the size and the colours of the screen. */
  void awaitPicture() {
    tab.value(
        """
        new Promise((resolve) => setTimeout(() => requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve(true))), 600))""");
  }
}
