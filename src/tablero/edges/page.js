// The edge studio: drag a piece onto another to change them, click to turn one, pin what must stay; joins that do not match are counted.
// @ts-check
import { el } from "/static/dom.js";
import { number } from "/static/words.js";

/** @param {any} page */
export function enhance(page) {
  const t = page.t;
  let selected = -1;
  /** @type {number} */
  let pressed = -1;
  /** @type {[string, string][]} */
  const past = [];
  const score = el("p", { class: "status", "aria-live": "polite" });
  const turn = el("button", { type: "button", onclick: () => turnPiece() }, t("Turn"));
  const pin = el("button", { type: "button", onclick: () => pinPiece() }, t("Pin"));
  const undo = el("button", { type: "button", disabled: true, onclick: () => takeBack() }, t("Undo"));
  const copy = el("button", { type: "button", onclick: () => copyAddress() }, t("Copy the viewer's address"));
  page.board.tabIndex = 0;
  page.board.setAttribute("role", "application");
  page.board.setAttribute("aria-label", t("Board: arrow keys move, t turns, x changes with the next piece chosen, p pins"));
  page.add(score, el("p", { class: "muted" }, t("Drag a piece onto another to change them; click one to choose it, again to turn it.")), el("div", { class: "row" }, turn, pin, undo, copy));
  for (const name of ["laying", "pins"]) page.puzzle.parts.get(name).box.hidden = true;

  page.onshown.push((/** @type {any} */ shown) => {
    score.textContent = `${number(shown.score)} ${t("of")} ${number(shown.maximum)} ${t("joins match")}`;
    selected = Math.min(selected, shown.layout.length - 1);
    frame();
  });

  const pins = () => new Set(page.puzzle.values().pins.split(/\s+/).filter(Boolean));
  const name = (/** @type {number} */ cell) => `r${Math.floor(cell / page.cells.columns) + 1}c${(cell % page.cells.columns) + 1}`;

  /** Frames above the drawing: the chosen piece, and those that are pinned. */
  const frame = () => {
    page.board.querySelector(".overlay")?.remove();
    const svg = page.board.querySelector("svg");
    if (!svg || !page.cells || !page.shown) return;
    const over = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    over.setAttribute("class", "overlay");
    over.setAttribute("viewBox", svg.getAttribute("viewBox") ?? "");
    over.setAttribute("aria-hidden", "true");
    const box = (/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number} */ inset) => {
      const { columns, x, y, side } = page.cells;
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      for (const [key, value] of Object.entries({ x: x + (cell % columns) * side + inset, y: y + Math.floor(cell / columns) * side + inset, width: side - 2 * inset, height: side - 2 * inset, fill: "none", stroke: colour, "stroke-width": 0.06, rx: 0.06 })) rect.setAttribute(key, String(value));
      over.append(rect);
    };
    const held = pins();
    page.shown.layout.forEach((/** @type {any} */ _, /** @type {number} */ cell) => held.has(name(cell)) && box(cell, "#1f2430", 0.14));
    if (selected >= 0) box(selected, "#ffffff", 0.05);
    if (selected >= 0) box(selected, "#1f5f85", 0.09);
    page.board.append(over);
  };
  const show = page.show.bind(page);
  page.show = (/** @type {any[]} */ ...given) => {
    show(...given);
    frame();
  };

  const write = (/** @type {number[][]} */ layout) => layout.map(([piece, turned]) => (piece ? `${piece}/${turned}` : "-")).join(" ");

  /** @param {number[][]} layout @param {string} [held] */
  const put = async (layout, held) => {
    const values = page.puzzle.values();
    page.shown.layout = layout; // the next change builds on this one
    if (await page.set({ ...values, laying: write(layout), pins: held ?? values.pins })) {
      past.push([values.laying, values.pins]);
      undo.disabled = false;
    }
  };

  const change = (/** @type {number} */ one, /** @type {number} */ other) => {
    const held = pins();
    if (one === other || held.has(name(one)) || held.has(name(other))) return;
    const layout = page.shown.layout.map((/** @type {number[]} */ pair) => [...pair]);
    [layout[one], layout[other]] = [layout[other], layout[one]];
    selected = other;
    put(layout);
  };

  const turnPiece = () => {
    if (selected < 0 || !page.shown.turning || pins().has(name(selected))) return;
    const layout = page.shown.layout.map((/** @type {number[]} */ pair) => [...pair]);
    layout[selected][1] = (layout[selected][1] + 1) % page.shown.sides;
    put(layout);
  };

  const pinPiece = () => {
    if (selected < 0) return;
    const held = pins();
    if (!held.delete(name(selected))) held.add(name(selected));
    put(page.shown.layout, [...held].join(" "));
  };

  const takeBack = () => {
    const before = past.pop();
    undo.disabled = past.length === 0;
    if (before) page.set({ ...page.puzzle.values(), laying: before[0], pins: before[1] });
  };

  const copyAddress = async () => {
    try {
      await navigator.clipboard.writeText(page.shown.address);
      page.caption.textContent = t("The address is copied.");
    } catch {
      page.caption.textContent = page.shown.address;
    }
  };

  page.oncell.push((/** @type {number} */ row, /** @type {number} */ column) => {
    pressed = row * page.cells.columns + column;
    page.board.focus({ preventScroll: true });
  });
  page.board.addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
    const svg = page.board.querySelector("svg");
    const at = page.cells && svg && page.place(event, svg);
    if (at && pressed >= 0) {
      const cell = at[0] * page.cells.columns + at[1];
      if (cell !== pressed) change(pressed, cell);
      else if (cell === selected) turnPiece();
      else {
        selected = cell;
        frame();
      }
    }
    pressed = -1;
  });

  let changing = -1;
  page.board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (!page.cells) return;
    const { rows, columns } = page.cells;
    const step = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step !== undefined) {
      selected = (Math.max(selected, 0) + step + rows * columns) % (rows * columns);
      frame();
    } else if (event.key === "t") turnPiece();
    else if (event.key === "p") pinPiece();
    else if (event.key === "x") {
      if (changing < 0) changing = selected;
      else {
        change(changing, selected);
        changing = -1;
      }
    } else if (event.key === "z" && (event.ctrlKey || event.metaKey)) takeBack();
    else return;
    event.preventDefault();
  });

  // A board that was found can be worked on.
  const answer = page.answer.bind(page);
  page.answer = (/** @type {any} */ verb, /** @type {any} */ reply, /** @type {HTMLElement} */ result) => {
    answer(verb, reply, result);
    if (!reply.answers?.length || !page.shown?.layout) return;
    const take = () => put(reply.answers[0]);
    result.append(el("div", { class: "row" }, el("button", { class: "small", type: "button", onclick: take }, t("Lay it on the board"))));
  };
}
