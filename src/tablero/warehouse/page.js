// The warehouse: choose a tile, then an empty cell that it can reach, or push it with the arrow keys; moves are counted against the bound.
// @ts-check
import { el } from "/static/dom.js";
import { number } from "/static/words.js";

/** @param {any} page */
export function enhance(page) {
  const t = page.t;
  let moves = 0;
  let selected = -1;
  let playing = false;
  let busy = Promise.resolve();
  /** @type {[Record<string, any>, number, number][]} */
  const past = [];
  const count = el("p", { class: "status", "aria-live": "polite" });
  const undo = el("button", { type: "button", disabled: true, onclick: () => takeBack() }, t("Undo"));
  const again = el("button", { type: "button", onclick: () => page.set({ ...page.puzzle.values(), floor: first }) }, t("Begin anew"));
  page.board.tabIndex = 0;
  page.board.setAttribute("role", "application");
  page.board.setAttribute("aria-label", t("Floor: Tab and Shift with Tab leave it, n chooses the next tile, arrow keys push it, Escape lets go"));
  page.add(count, el("p", { class: "muted" }, t("Click a tile and then an empty cell that it can reach, or push it with the arrow keys.")), el("div", { class: "row" }, undo, again));
  let first = "";

  const update = () => {
    const { bound, home, tiles } = page.shown;
    const done = home === tiles ? `${t("In order after")} ` : "";
    count.textContent = `${done}${number(moves)} ${moves === 1 ? t("move (one)") : t("moves")}, ${t("the bound is")} ${number(bound)}; ${number(home)} ${t("of")} ${number(tiles)} ${t("in place")}`;
  };
  const name = (/** @type {number} */ cell) => `r${Math.floor(cell / page.cells.columns) + 1}c${(cell % page.cells.columns) + 1}`;

  const frame = () => {
    page.board.querySelector(".overlay")?.remove();
    const svg = page.board.querySelector("svg");
    if (!svg || !page.cells || selected < 0) return;
    const over = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    over.setAttribute("class", "overlay");
    over.setAttribute("viewBox", svg.getAttribute("viewBox") ?? "");
    over.setAttribute("aria-hidden", "true");
    const { columns, x, y, side } = page.cells;
    const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const [key, value] of Object.entries({ x: x + (selected % columns) * side, y: y + Math.floor(selected / columns) * side, width: side, height: side, fill: "none", stroke: "#1f2430", "stroke-width": 0.12, rx: 0.16 })) rect.setAttribute(key, String(value));
    over.append(rect);
    page.board.append(over);
  };
  const show = page.show.bind(page);
  page.show = (/** @type {any[]} */ ...given) => {
    show(...given);
    frame();
  };

  page.onshown.push((/** @type {any} */ shown) => {
    if (!playing) {
      moves = 0;
      past.length = 0;
      first = shown.puzzle.floor;
      selected = -1;
      undo.disabled = true;
      frame();
    }
    update();
  });

  /** @param {number} target */
  const move = (target) => {
    const source = selected;
    busy = busy.then(async () => {
      const before = page.puzzle.values();
      const shown = await page.ask("play", { source: name(source), target: name(target) }).catch(() => null);
      if (!shown?.made) return;
      past.push([before, moves, source]);
      undo.disabled = false;
      moves += shown.made;
      selected = shown.now;
      await put(shown.puzzle, shown);
    });
  };

  /** @param {Record<string, any>} values @param {any} [shown] */
  const put = async (values, shown) => {
    playing = true;
    await page.set(values, shown);
    playing = false;
  };

  const takeBack = async () => {
    const before = past.pop();
    undo.disabled = past.length === 0;
    if (!before) return;
    [moves, selected] = [before[1], before[2]];
    await put(before[0]);
  };

  page.oncell.push((/** @type {number} */ row, /** @type {number} */ column) => {
    const cell = row * page.cells.columns + column;
    page.board.focus({ preventScroll: true });
    if (page.shown.floor[cell]) {
      selected = cell;
      frame();
    } else if (selected >= 0) move(cell);
  });
  page.board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (!page.cells) return;
    const { rows, columns } = page.cells;
    const step = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const floor = page.shown.floor;
    if (event.key === "z" && (event.ctrlKey || event.metaKey)) takeBack();
    else if (event.key === "Escape") selected = -1;
    else if (event.key === "n" || event.key === "N" || (step !== undefined && selected < 0)) {
      const by = event.key === "N" ? floor.length - 1 : 1;
      do selected = (Math.max(selected, 0) + by) % floor.length;
      while (!floor[selected]);
    } else if (step !== undefined) {
      const target = selected + step;
      const same = Math.abs((target % columns) - (selected % columns)) <= 1;
      if (same && target >= 0 && target < rows * columns && !floor[target]) move(target);
    } else return;
    frame();
    event.preventDefault();
  });
}
