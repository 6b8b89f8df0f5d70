// The explanations of a family: a list, and a page for each with its drawing.
// @ts-check
import { api, drawing, el } from "./dom.js";
import { said, t } from "./words.js";

/** @param {HTMLElement} main @param {any} family @param {string | undefined} name */
export async function open(main, family, name) {
  const { guides } = await api(`families/${family.word}/guides`);
  const list = `/${family.word}/guide`;
  if (name === undefined) {
    document.title = `${t("Techniques")} · tablero`;
    main.append(
      el("p", {}, el("a", { href: `/${family.word}` }, t(family.title))),
      el("h1", {}, t("Techniques")),
      el("p", { class: "about" }, t("From the easiest to the hardest, with a drawing of an example.")),
      el("ol", { class: "guides card" }, ...guides.map((/** @type {any} */ one) => el("li", {}, el("a", { href: `${list}/${one.name}` }, t(one.title)), " ", el("span", { class: "pill" }, one.rating.toFixed(1))))),
    );
    return;
  }
  const guide = await api(`families/${family.word}/guides/${encodeURIComponent(name)}`);
  document.title = `${t(guide.title)} · tablero`;
  const at = guides.findIndex((/** @type {any} */ one) => one.name === name);
  const step = (/** @type {number} */ by, /** @type {string} */ words) => guides[at + by] && el("a", { class: "button", href: `${list}/${guides[at + by].name}` }, `${words}: ${t(guides[at + by].title)}`);
  const board = el("div", { class: "board" });
  if (guide.svg) board.append(drawing(guide.svg));
  main.append(
    el("p", {}, el("a", { href: `/${family.word}` }, t(family.title)), " · ", el("a", { href: list }, t("Techniques"))),
    el("h1", {}, t(guide.title), " ", el("span", { class: "pill" }, guide.rating.toFixed(1))),
    el("p", { class: "about" }, guide.about),
    el(
      "div",
      { class: "two" },
      guide.svg && el("section", { "aria-label": t("Board") }, el("figure", {}, board, el("figcaption", {}, said(guide.sentence)))),
      el(
        "div",
        { class: "card" },
        guide.words && el("p", {}, said(guide.words)),
        el("p", { class: "muted" }, t("Yellow cells are examined, green and blue candidates form the pattern, red ones are removed, and a green cell is filled.")),
        el("div", { class: "row" }, guide.puzzle && el("a", { class: "button", href: `/${family.word}#${encodeURIComponent(JSON.stringify(guide.puzzle))}` }, t("Try it in the workbench"))),
        el("div", { class: "row tools" }, step(-1, t("Easier")), step(1, t("Harder"))),
      ),
    ),
  );
}
