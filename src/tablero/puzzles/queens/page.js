// Queens: click a square to place a queen, again to block it, again to empty it; attacks are drawn as lines.
// @ts-check
import { el } from "/static/dom.js";

/** @param {any} page */
export function enhance(page) {
  page.add(el("p", { class: "muted" }, page.t("Click a square: a queen, a block, empty again. Red lines join queens that attack each other.")));
  page.oncell.push((/** @type {number} */ row, /** @type {number} */ column) => {
    const values = page.puzzle.values();
    const name = `r${row + 1}c${column + 1}`;
    const given = squares(values.given);
    const blocked = squares(values.blocked);
    if (given.delete(name)) blocked.add(name);
    else if (!blocked.delete(name)) given.add(name);
    page.set({ ...values, given: [...given].join(","), blocked: [...blocked].join(",") });
  });
}

/** @param {string} text @returns {Set<string>} */
function squares(text) {
  return new Set(text.split(/[,\s]+/).filter(Boolean));
}
