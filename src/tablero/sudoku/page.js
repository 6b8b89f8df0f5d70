// The web page for Sudoku: digits and pencil marks by keyboard or keypad, undo, hints, and the solution step by step.
// @ts-check
import { el } from "/static/dom.js";
import { said, term } from "/static/words.js";

const SYMBOLS = ".123456789ABCDEFGHIJKLMNOP";

/** @param {any} page */
export function enhance(page) {
  const t = page.t;
  let selected = 0;
  let pencil = false;
  /** @type {[string, string][]} */
  const past = [];
  const keypad = el("div", { class: "keypad", role: "group", "aria-label": t("Digits") });
  const mode = el("button", { type: "button", "aria-pressed": "false", onclick: () => setPencil(!pencil) }, t("Pencil"));
  const undo = el("button", { type: "button", onclick: () => takeBack(), disabled: true }, t("Undo"));
  const hint = el("button", { type: "button", class: "main", onclick: () => askHint() }, t("Hint"));
  const apply = el("button", { type: "button", hidden: true, onclick: () => follow() }, t("Do it"));
  const says = el("p", { class: "says", tabindex: 0, "aria-live": "polite" }); // of a fixed height, so that messages do not move the page
  page.board.tabIndex = 0;
  page.board.setAttribute("role", "application");
  page.board.setAttribute("aria-label", t("Board: arrow keys move, digits fill in, p for pencil marks"));
  page.add(keypad, el("div", { class: "row" }, mode, undo, hint, apply), says);
  for (const name of ["filled", "marks"]) page.puzzle.parts.get(name).box.hidden = true;
  const number = document.getElementById("steps-at");
  if (number?.parentElement) number.parentElement.hidden = true; // the list of steps selects the step

  /** @type {any} */
  let hinted = null;

  const setPencil = (/** @type {boolean} */ on) => {
    pencil = on;
    mode.setAttribute("aria-pressed", String(on));
    mode.classList.toggle("main", on);
  };

  page.onshown.push((/** @type {any} */ shown) => {
    hinted = null;
    apply.hidden = true;
    selected = Math.min(selected, shown.side ** 2 - 1);
    if (keypad.children.length !== shown.side + 1) {
      // The board shows numbers; the keyboard has letters for digits from 10 on.
      const keys = [...SYMBOLS.slice(1, shown.side + 1)].map((sign, k) => el("button", { type: "button", title: k < 9 ? false : sign, onclick: () => enter(sign) }, String(k + 1)));
      keypad.replaceChildren(...keys, el("button", { type: "button", "aria-label": t("Empty the cell"), onclick: () => enter(".") }, "⌫"));
    }
    frame();
  });

  /** Draw frames around the selected cell and around digits that clash. */
  const frame = () => {
    const svg = page.board.querySelector("svg");
    if (!svg || !page.cells || page.board.querySelector(".overlay")) page.board.querySelector(".overlay")?.remove();
    if (!svg || !page.cells) return;
    const over = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    over.setAttribute("class", "overlay");
    over.setAttribute("viewBox", svg.getAttribute("viewBox") ?? "");
    over.setAttribute("aria-hidden", "true");
    const box = (/** @type {number} */ cell, /** @type {string} */ colour, /** @type {number} */ line) => {
      const { columns, x, y, side } = page.cells;
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      const inset = line / 2 + 0.03;
      for (const [name, value] of Object.entries({ x: x + (cell % columns) * side + inset, y: y + Math.floor(cell / columns) * side + inset, width: side - 2 * inset, height: side - 2 * inset, fill: "none", stroke: colour, "stroke-width": line, rx: 0.08 })) rect.setAttribute(name, String(value));
      over.append(rect);
    };
    for (const cell of page.shown?.clashes ?? []) box(cell, "#c1121f", 0.05);
    box(selected, "#1f5f85", 0.08);
    page.board.append(over);
  };

  const show = page.show.bind(page);
  page.show = (/** @type {any[]} */ ...given) => {
    show(...given);
    frame();
  };

  /** @param {string} sign */
  const enter = (sign) => {
    const shown = page.shown;
    if (!shown || shown.clues[selected]) return;
    const values = page.puzzle.values();
    const filled = [...(values.filled || ".".repeat(shown.side ** 2))];
    const marks = parse(values.marks);
    const name = `r${Math.floor(selected / shown.side) + 1}c${(selected % shown.side) + 1}`;
    past.push([values.filled, values.marks]);
    undo.disabled = false;
    if (pencil && sign !== ".") {
      const now = marks.get(name) ?? "";
      marks.set(name, now.includes(sign) ? now.replace(sign, "") : [...now, sign].sort().join(""));
    } else {
      filled[selected] = filled[selected] === sign ? "." : sign;
      marks.delete(name);
    }
    set(filled.join(""), [...marks].filter(([, digits]) => digits).map(([cell, digits]) => `${cell}=${digits}`).join(" "));
  };

  const set = (/** @type {string} */ filled, /** @type {string} */ marks) => page.set({ ...page.puzzle.values(), filled: /[^.]/.test(filled) ? filled : "", marks });

  const takeBack = () => {
    const before = past.pop();
    undo.disabled = past.length === 0;
    if (before) set(...before);
  };

  const askHint = async () => {
    says.textContent = "";
    try {
      hinted = await page.ask("hint");
      says.replaceChildren(...(hinted.technique ? [explained(hinted.technique), `: ${said(hinted.sentence)}`] : [said(hinted.sentence)]));
      page.show(hinted.svg, hinted.technique ? term(hinted.technique) : "", page.cells);
      apply.hidden = !hinted.placed?.length;
    } catch (error) {
      says.textContent = /** @type {Error} */ (error).message;
    }
  };

  /** Fill in the digits of the hint. */
  const follow = () => {
    const shown = page.shown;
    const values = page.puzzle.values();
    const filled = [...(values.filled || ".".repeat(shown.side ** 2))];
    past.push([values.filled, values.marks]);
    undo.disabled = false;
    for (const [name, sign] of hinted.placed) {
      const found = /r(\d+)c(\d+)/.exec(name);
      if (found) filled[(Number(found[1]) - 1) * shown.side + Number(found[2]) - 1] = sign;
    }
    set(filled.join(""), values.marks);
  };

  page.oncell.push((/** @type {number} */ row, /** @type {number} */ column) => {
    selected = row * page.cells.columns + column;
    page.board.focus({ preventScroll: true });
    frame();
  });

  page.board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const side = page.shown?.side ?? 9;
    const step = { ArrowUp: -side, ArrowDown: side, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const sign = event.key.toUpperCase();
    if (event.ctrlKey || event.metaKey) {
      if (event.key !== "z") return;
      takeBack();
    } else if (step !== undefined) {
      selected = (selected + step + side * side) % (side * side);
      frame();
    } else if (["Backspace", "Delete", "0", "."].includes(event.key)) enter(".");
    else if (sign.length === 1 && SYMBOLS.indexOf(sign) >= 1 && SYMBOLS.indexOf(sign) <= side) enter(sign);
    else if (event.key === "p") setPencil(!pencil);
    else if (event.key === "h") askHint();
    else return;
    event.preventDefault();
  });

  // A list of the steps; each step highlights its cells on the board.
  const answer = page.answer.bind(page);
  page.answer = (/** @type {any} */ verb, /** @type {any} */ reply, /** @type {HTMLElement} */ result) => {
    answer(verb, reply, result);
    if (verb.name === "steps" && reply.steps) list(reply, result);
  };

  const list = (/** @type {any} */ reply, /** @type {HTMLElement} */ result) => {
    const items = el("ol", { class: "steps", start: 1 });
    const where = el("span");
    let at = 0;
    const go = async (/** @type {number} */ to) => {
      at = Math.max(0, Math.min(reply.steps.length, to));
      const step = reply.steps[at];
      const one = await page.ask("steps", { at });
      page.show(one.svg, step ? step.sentence : t("The end."), page.cells);
      where.textContent = step ? `${t("Step")} ${at + 1} ${t("of")} ${reply.steps.length}` : t("The end.");
      [...items.children].forEach((item, k) => {
        item.firstElementChild?.setAttribute("aria-current", String(k === at));
        if (k === at) item.scrollIntoView({ block: "nearest" });
      });
    };
    reply.steps.forEach((/** @type {any} */ step, /** @type {number} */ k) => {
      items.append(el("li", {}, el("button", { type: "button", onclick: () => go(k) }, `${k + 1}. ${term(step.technique)} (${step.rating})`), explained(step.technique, "?")));
    });
    const leaf = (/** @type {() => number} */ to, /** @type {string} */ sign, /** @type {string} */ label) => el("button", { class: "small", type: "button", "aria-label": label, onclick: () => go(to()) }, sign);
    result.append(
      el("div", { class: "row" }, leaf(() => 0, "|◀", t("First")), leaf(() => at - 1, "◀", t("Previous")), leaf(() => at + 1, "▶", t("Next")), leaf(() => reply.steps.length, "▶|", t("Last")), where),
      items,
    );
    if (reply.steps.length) go(0);
  };

  /** A link to the page of a technique; the board stays open. @param {string} technique @param {string} [sign] */
  const explained = (technique, sign) => {
    const name = technique.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
    return el("a", { href: `/sudoku/guide/${name}`, target: "_blank", rel: "noopener", ...(sign ? { class: "ask", title: term(technique), "aria-label": `${t("What is it?")} ${term(technique)}` } : {}) }, sign ?? term(technique));
  };

  page.add(el("p", { class: "small" }, el("a", { href: "/sudoku/guide" }, t("All techniques"))));
}

/** @param {string} text @returns {Map<string, string>} */
function parse(text) {
  return new Map(text.split(/\s+/).filter(Boolean).map((word) => /** @type {[string, string]} */ (word.split("="))));
}
