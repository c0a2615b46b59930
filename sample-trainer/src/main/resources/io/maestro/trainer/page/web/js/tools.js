// The buttons at the top.

const ORDER = ["system", "light", "dark"];

function remember(wish) {
  try {
    localStorage.setItem("maestro.theme", wish);
  } catch {
    // Storage is switched off: the wish holds until the page is closed.
  }
}

/** @param redraw called when the colours have changed */
export function offerThemes(redraw) {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const show = () => {
    button.textContent = `Theme: ${root.dataset.theme ?? "system"}`;
  };
  button.addEventListener("click", () => {
    const wish = ORDER[(ORDER.indexOf(root.dataset.theme ?? "system") + 1) % ORDER.length];
    if (wish === "system") {
      delete root.dataset.theme;
    } else {
      root.dataset.theme = wish;
    }
    remember(wish);
    show();
    redraw();
  });
  matchMedia("(prefers-color-scheme: light)").addEventListener("change", redraw);
  show();
}

export function offerHelp() {
  const dialog = document.getElementById("help");
  document.getElementById("help-open").addEventListener("click", () => dialog.showModal());
}
