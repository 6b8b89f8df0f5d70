// Queens: a click or Enter on a square places a queen, then a block, then empties it; attacks are drawn as lines.
// @ts-check
import { el } from "/static/dom.js";

/** @param {any} page */
export function enhance(page) {
  const t = page.t;
  let row = 0;
  let column = 0;
  page.board.tabIndex = 0;
  page.board.setAttribute("role", "application");
  page.board.setAttribute("aria-label", t("Board: arrow keys move, Enter places a queen, a block, and empties the square again"));
  const square = el("p", { class: "muted", "aria-live": "polite" });
  page.add(el("p", { class: "muted" }, t("Click a square: a queen, a block, empty again. Red lines join queens that attack each other.")), square);

  /** The contents of a square, in words. @param {string} name */
  const contents = (name) => {
    const values = page.puzzle.values();
    return squares(values.given).has(name) ? t("a queen") : squares(values.blocked).has(name) ? t("blocked") : t("empty");
  };

  const change = async () => {
    const values = page.puzzle.values();
    const name = `r${row + 1}c${column + 1}`;
    const given = squares(values.given);
    const blocked = squares(values.blocked);
    if (given.delete(name)) blocked.add(name);
    else if (!blocked.delete(name)) given.add(name);
    await page.set({ ...values, given: [...given].join(","), blocked: [...blocked].join(",") });
  };

  /** Draw a frame around the selected square and show its name. */
  const frame = () => {
    page.board.querySelector(".overlay")?.remove();
    const svg = page.board.querySelector("svg");
    const keys = document.activeElement === page.board && svg && page.cells;
    if (!keys) return;
    const { rows, columns, x, y, side } = page.cells;
    [row, column] = [Math.min(row, rows - 1), Math.min(column, columns - 1)];
    const over = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    over.setAttribute("class", "overlay");
    over.setAttribute("viewBox", svg.getAttribute("viewBox") ?? "");
    over.setAttribute("aria-hidden", "true");
    const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [key, value] of Object.entries({ x: x + column * side + 0.05 * side, y: y + row * side + 0.05 * side, width: 0.9 * side, height: 0.9 * side, fill: "none", stroke: "#1f5f85", "stroke-width": 0.08 * side })) box.setAttribute(key, String(value));
    over.append(box);
    page.board.append(over);
    square.textContent = `r${row + 1}c${column + 1}: ${contents(`r${row + 1}c${column + 1}`)}`;
  };

  const show = page.show.bind(page);
  page.show = (/** @type {any[]} */ ...given) => {
    show(...given);
    frame();
  };
  page.board.addEventListener("focus", frame);
  page.board.addEventListener("blur", frame);
  page.board.addEventListener("keydown", async (/** @type {KeyboardEvent} */ event) => {
    if (!page.cells) return;
    const { rows, columns } = page.cells;
    const [down, across] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key] ?? [0, 0];
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      await change();
    } else if (!down && !across) return;
    else event.preventDefault();
    row = (row + down + rows) % rows;
    column = (column + across + columns) % columns;
    frame();
  });
  page.oncell.push((/** @type {number} */ r, /** @type {number} */ c) => {
    [row, column] = [r, c];
    change();
  });
}

/** @param {string} text @returns {Set<string>} */
function squares(text) {
  return new Set(text.split(/[,\s]+/).filter(Boolean));
}
