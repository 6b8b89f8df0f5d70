// Sliding tiles: play with the arrow keys or by clicking a tile next to the blank; see a solution played.
// @ts-check
import { el } from "/static/dom.js";
import { number } from "/static/words.js";

const OPPOSITE = { ArrowUp: "S", ArrowDown: "N", ArrowLeft: "E", ArrowRight: "W" }; // a tile goes up when the blank goes south

/** @param {any} page */
export function enhance(page) {
  const t = page.t;
  let moves = 0;
  let busy = Promise.resolve();
  const count = el("p", { class: "status", "aria-live": "polite" });
  const player = el("div");
  page.add(count, el("p", { class: "muted" }, t("Arrow keys slide a tile; so does a click on one next to the blank.")), player);

  const tell = () => (count.textContent = page.shown?.home ? `${t("In order after")} ${number(moves)} ${t("moves")}` : `${number(moves)} ${t("moves")}`);

  const move = (/** @type {string} */ letters) => {
    busy = busy.then(async () => {
      const shown = await page.ask("play", { moves: letters }).catch(() => null);
      if (!shown || !shown.made) return;
      moves += shown.made;
      playing = true;
      await page.set(shown.puzzle, shown);
      playing = false;
      tell();
    });
  };

  let playing = false;
  page.onshown.push(() => {
    if (!playing) {
      moves = 0;
      stop();
      player.replaceChildren();
    }
    tell();
  });
  page.oncell.push((/** @type {number} */ row, /** @type {number} */ column) => {
    const { columns } = page.cells;
    const [r, c] = [Math.floor(page.shown.blank / columns), page.shown.blank % columns];
    // A whole line of tiles moves when one further away is clicked.
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

  // Playing a solution.
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const answer = page.answer.bind(page);
  page.answer = (/** @type {any} */ verb, /** @type {any} */ reply, /** @type {HTMLElement} */ result) => {
    answer(verb, reply, result);
    if (verb.name === "solve" && reply.answers?.[0]?.length) play(reply);
  };

  const play = (/** @type {any} */ reply) => {
    stop();
    const way = reply.answers[0];
    let at = 0;
    const where = el("input", { type: "range", min: 0, max: way.length, value: 0, "aria-label": t("Move") });
    const words = el("p", { class: "muted", "aria-live": "off" });
    const speed = el("input", { type: "range", min: 1, max: 20, value: 6, id: "speed" });
    const show = async () => {
      const shown = await page.ask("play", { moves: way.slice(0, at) }).catch(() => null);
      if (shown) page.show(shown.svg, `${t("move")} ${number(at)} ${t("of")} ${number(way.length)}`, null);
      where.value = String(at);
      words.textContent = rule(reply.notes, at);
    };
    const go = (/** @type {number} */ to) => {
      at = Math.max(0, Math.min(way.length, to));
      return show();
    };
    const tick = async () => {
      await go(at + 1);
      if (timer !== undefined) {
        if (at < way.length) timer = setTimeout(tick, 1000 / Number(speed.value));
        else pause();
      }
    };
    const button = el("button", { class: "main", type: "button" }, t("Play"));
    const pause = () => {
      stop();
      button.textContent = t("Play");
    };
    button.addEventListener("click", () => {
      if (timer !== undefined) return pause();
      if (at === way.length) at = 0;
      button.textContent = t("Pause");
      timer = setTimeout(tick, 0);
      return undefined;
    });
    where.addEventListener("input", () => {
      pause();
      go(Number(where.value));
    });
    const step = (/** @type {number} */ by, /** @type {string} */ sign, /** @type {string} */ label) =>
      el("button", { type: "button", "aria-label": label, onclick: () => { pause(); go(at + by); } }, sign);
    player.replaceChildren(
      el("div", { class: "card" }, el("div", { class: "row" }, step(-1, "◀", t("One back")), button, step(1, "▶", t("One on"))), where, words, el("label", { class: "field", for: "speed" }, el("span", {}, t("Speed")), speed)),
    );
    show();
  };

  /** Why the last move was made, where the method says it. */
  const rule = (/** @type {[string, string, number][] | undefined} */ notes, /** @type {number} */ at) => {
    let left = at;
    for (const [name, words, count_] of notes ?? []) {
      left -= count_;
      if (left <= 0 && at > 0) return `${name}: ${words}`;
    }
    return "";
  };
}
