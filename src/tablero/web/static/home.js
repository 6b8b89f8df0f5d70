// The home page: a card with a picture for each family.
// @ts-check
import { api, drawing, el } from "./dom.js";
import { t } from "./words.js";

/** @param {HTMLElement} main @param {any[]} families */
export async function open(main, families) {
  document.title = "tablero";
  const cards = el("div", { class: "cards" });
  main.append(
    el("h1", {}, t("A laboratory for board puzzles")),
    el("p", { class: "about" }, t("Generate, solve, count and play. Jobs continue when this page is closed.")),
    cards,
  );
  await Promise.all(
    families.map(async (family) => {
      const board = el("div", { class: "board" });
      cards.append(
        el("a", { href: `/${family.word}` }, el("div", { class: "card" }, board, el("h2", {}, t(family.title)), el("p", {}, t(family.about)))),
      );
      const shown = await api(`families/${family.word}/show`, { form: family.card }).catch(() => null);
      if (shown?.svg) board.append(drawing(shown.svg));
      else if (shown) board.append(el("pre", { tabindex: -1 }, Object.values(shown.puzzle)[0]));
    }),
  );
}
