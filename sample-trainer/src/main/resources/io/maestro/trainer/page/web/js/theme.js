// A classic script in the head: the page must not flash in the wrong colours.
(() => {
  let wish = "system";
  try {
    wish = localStorage.getItem("maestro.theme") ?? "system";
  } catch {
    // Storage is switched off: the system decides.
  }
  if (wish === "dark" || wish === "light") {
    document.documentElement.dataset.theme = wish;
  }
})();
