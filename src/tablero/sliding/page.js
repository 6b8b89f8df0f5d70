// Sliding tiles: play with the arrow keys or by clicking a tile next to the blank; see a solution played.
// @ts-check
import { el } from "/static/dom.js";
import { number } from "/static/words.js";

const OPPOSITE = { ArrowUp: "S", ArrowDown: "N", ArrowLeft: "E", ArrowRight: "W" }; // a tile moves up when the blank moves south

/** @param {any} page */
export function enhance(page) {
  const t = page.t;
  let moves = 0;
  let busy = Promise.resolve();
  const count = el("p", { class: "status", "aria-live": "polite" });
  page.add(count, el("p", { class: "muted" }, t("Arrow keys slide a tile; so does a click on one next to the blank.")));

  let lower = 0; // the lower bound of the board when it was set
  /** @type {number | null} */
  let best = null; // the length of a shortest answer, if it is known

  const update = () => {
    const made = `${page.shown?.home ? `${t("In order after")} ` : ""}${number(moves)} ${moves === 1 ? t("move (one)") : t("moves")}`;
    if (page.shown && !page.shown.solvable) {
      count.textContent = `${made}; ${t("it cannot be put in order")}`;
      return;
    }
    const known = best !== null ? `${t("the shortest way has")} ${number(best)}` : `${t("at least")} ${number(lower)} ${lower === 1 ? t("is needed (one)") : t("are needed")}`;
    count.textContent = `${made}; ${known}`;
  };

  const answer = page.answer.bind(page);
  page.answer = (/** @type {any} */ verb, /** @type {any} */ reply, /** @type {HTMLElement} */ result) => {
    answer(verb, reply, result);
    if (moves === 0 && reply.optimal) best = reply.moves;
    if (moves === 0 && reply.lower > lower) lower = reply.lower;
    update();
  };

  const move = (/** @type {string} */ letters) => {
    busy = busy.then(async () => {
      const shown = await page.ask("play", { moves: letters }).catch(() => null);
      if (!shown || !shown.made) return;
      moves += shown.made;
      playing = true;
      await page.set(shown.puzzle, shown);
      playing = false;
      update();
    });
  };

  let playing = false;
  page.onshown.push((/** @type {any} */ shown) => {
    if (!playing) {
      moves = 0;
      lower = shown.lower;
      best = null;
    }
    update();
  });
  page.oncell.push((/** @type {number} */ row, /** @type {number} */ column) => {
    const { columns } = page.cells;
    const [r, c] = [Math.floor(page.shown.blank / columns), page.shown.blank % columns];
    // A click on a tile further away moves the whole line.
    if (row === r && column !== c) move((column > c ? "E" : "W").repeat(Math.abs(column - c)));
    else if (column === c && row !== r) move((row > r ? "S" : "N").repeat(Math.abs(row - r)));
  });
  addEventListener("keydown", (event) => {
    const letter = OPPOSITE[/** @type {keyof typeof OPPOSITE} */ (event.key)];
    const target = /** @type {HTMLElement} */ (event.target);
    if (!letter || target.closest("input, textarea, select, [role=tab]")) return;
    event.preventDefault();
    move(letter);
  });
}
