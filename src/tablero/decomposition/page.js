// Decompositions: the part under the pointer, or chosen from the list below the board, stands out.
// @ts-check
import { el } from "/static/dom.js";

const MOST_NAMED = 200; // parts that are listed

/** @param {any} page */
export function enhance(page) {
  const t = page.t;
  const list = el("div", { class: "row parts", role: "group", "aria-label": t("Parts") });
  const says = el("p", { class: "muted", "aria-live": "polite" });
  page.caption.after(says);
  says.after(list);
  /** @type {string[]} */
  let strokes = [];
  /** @type {number[][][]} */
  let parts = [];

  /** Let one part stand out; none: all are as they were. @param {number} k */
  const light = (k) => {
    const svg = page.board.querySelector("svg");
    if (!svg) return;
    for (const line of svg.querySelectorAll("line")) line.setAttribute("opacity", k < 0 || line.getAttribute("stroke") === strokes[k] ? "1" : "0.08");
    [...list.children].forEach((button, j) => button.classList.toggle("lit", j === k));
    says.textContent = k < 0 ? "" : `${t("Part")} ${k + 1}: ${parts[k].map(([u, v]) => `${u}-${v}`).join(" ")}`;
  };

  const show = page.show.bind(page);
  page.show = (/** @type {any[]} */ ...given) => {
    show(...given);
    list.replaceChildren();
    says.textContent = "";
    strokes = [];
  };

  page.onanswer.push((/** @type {number[][][]} */ answer) => {
    parts = answer ?? [];
    const svg = page.board.querySelector("svg");
    if (!svg) return;
    // The lines of the host come part by part, each in the part's colour.
    strokes = [...new Set([...svg.querySelectorAll("line")].map((line) => line.getAttribute("stroke") ?? ""))].slice(0, parts.length);
    says.textContent = t("Point at a part, or choose one below.");
    list.replaceChildren(
      ...strokes.slice(0, MOST_NAMED).map((stroke, k) => {
        const sign = el("i");
        sign.style.background = stroke;
        return el("button", { type: "button", class: "small part", onmouseenter: () => light(k), onmouseleave: () => light(-1), onfocus: () => light(k), onblur: () => light(-1), onclick: () => light(k) }, sign, String(k + 1));
      }),
    );
    for (const line of svg.querySelectorAll("line")) {
      const k = strokes.indexOf(line.getAttribute("stroke") ?? "");
      line.addEventListener("mouseenter", () => light(k));
      line.addEventListener("mouseleave", () => light(-1));
    }
  });

  const answer = page.answer.bind(page);
  page.answer = (/** @type {any} */ verb, /** @type {any} */ reply, /** @type {HTMLElement} */ result) => {
    answer(verb, reply, result);
    if (reply.conditions?.state === "undecided") result.append(el("p", {}, t("Whether the conditions lose a copy is not decided: copies are made without them.")));
    if (reply.conditions?.state === "unchecked" && !reply.why) result.append(el("p", {}, t("No copies were made: the conditions were not looked at.")));
  };

  // Conditions are of one part: when another is typed, those that were filled in give way to its own.
  const conditions = page.puzzle.parts.get("conditions").input;
  for (const name of ["host", "part", "symmetry"]) {
    page.puzzle.parts.get(name).input.addEventListener("input", () => {
      if (conditions.value === page.shown?.found) conditions.value = "";
    });
  }
}
