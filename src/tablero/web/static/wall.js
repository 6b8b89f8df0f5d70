// The page of all jobs: each with its progress and its best or current board.
// @ts-check
import { api, drawing, el } from "./dom.js";
import { jobs, whenever } from "./events.js";
import { foundWords, nodesWords, number, percent, t, time } from "./words.js";

const PAUSE = 700; // milliseconds between two requests of boards
const OLD = 4000; // milliseconds after which the board of a running job is requested again

/** @param {HTMLElement} main */
export function open(main) {
  document.title = `${t("Jobs")} · tablero`;
  const wall = el("div", { class: "cards wall" });
  const empty = el("p", { class: "muted" }, t("No jobs yet. Ask for something on a family's page and choose 'Keep as a job', or start one with 'tablero … --job NAME': it appears here by itself."));
  main.append(el("h1", {}, t("Jobs")), el("p", { class: "about" }, t("Stored searches.")), empty, wall);
  /** @type {Map<string, Card>} */
  const cards = new Map();
  whenever(() => {
    const all = [...jobs.values()].sort((a, b) => Number(b.state === "running") - Number(a.state === "running") || (b.created ?? "").localeCompare(a.created ?? "") || a.name.localeCompare(b.name));
    empty.hidden = all.length > 0;
    for (const [name, card] of cards) {
      if (!jobs.has(name)) {
        card.node.remove();
        cards.delete(name);
      }
    }
    all.forEach((job, k) => {
      const card = cards.get(job.name) ?? new Card(job.name);
      cards.set(job.name, card);
      card.update(job);
      if (wall.children[k] !== card.node) wall.insertBefore(card.node, wall.children[k] ?? null); // move only what has changed its place
    });
  });
  look(cards);
}

/** Request boards one after another, first that of the card that has waited longest. @param {Map<string, Card>} cards */
async function look(cards) {
  for (;;) {
    await new Promise((done) => setTimeout(done, PAUSE));
    if (document.hidden) continue;
    const next = [...cards.values()].filter((card) => card.isOutdated).sort((a, b) => a.asked - b.asked)[0];
    if (next) await next.ask();
  }
}

class Card {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.asked = 0;
    this.seen = 0; // the number of its board
    this.job = /** @type {any} */ ({});
    /** @type {number | undefined} */
    this.maximum = undefined; // of a score
    this.board = el("div", { class: "board" });
    this.pill = el("span", { class: "pill" });
    this.what = el("span", { class: "muted" });
    this.bar = el("i");
    this.progress = el("span", { class: "numbers" });
    this.found = el("span", { class: "numbers" });
    this.node = el(
      "a",
      { href: `/jobs/${encodeURIComponent(name)}` },
      el(
        "div",
        { class: "card" },
        this.board,
        el("div", { class: "row between" }, el("h2", {}, name), this.pill),
        this.what,
        el("div", { class: "bar" }, this.bar),
        el("div", { class: "row between" }, this.progress, this.found),
      ),
    );
  }

  /** @param {any} job */
  update(job) {
    this.job = job;
    this.pill.textContent = t(job.state);
    this.pill.className = `pill ${job.state}`;
    this.what.textContent = job.error ?? `${job.family} ${job.verb} · ${nodesWords(job.nodes)} · ${time(job.seconds)}`;
    if (job.fraction === undefined) return;
    this.bar.style.width = `${100 * job.fraction}%`;
    this.progress.textContent = percent(job.fraction);
    this.found.textContent = job.best === undefined ? foundWords(job.solutions) : this.bestWords(job.best);
  }

  /** The best value; for a score, the points reached instead of the points missing. @param {number} best */
  bestWords(best) {
    return this.maximum ? `${t("Best score")} ${number(this.maximum - best)} ${t("of")} ${number(this.maximum)}` : `${t("Best")} ${number(best)}`;
  }

  /** Whether its board may have changed. */
  get isOutdated() {
    if (this.job.fraction === undefined) return false;
    return this.sign !== this.shownSign || (this.job.state === "running" && Date.now() - this.asked > OLD);
  }

  get sign() {
    return `${this.job.state} ${this.job.solutions} ${this.job.best}`;
  }

  async ask() {
    this.asked = Date.now();
    const sign = this.sign;
    const reply = await api(`jobs/${this.name}/board?best=${this.job.solutions > 0}&seen=${this.seen}`).catch(() => null);
    this.shownSign = sign;
    if (reply?.svg) this.board.replaceChildren(drawing(reply.svg));
    this.seen = reply?.number ?? this.seen;
    this.maximum = reply?.maximum ?? this.maximum;
    if (reply?.maximum) this.update(this.job);
  }
}
