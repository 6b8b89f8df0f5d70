// A job as it goes on: its numbers, its curves, and the board where its search stands.  Shown on its page and where it was started.
// @ts-check
import { api, el } from "./dom.js";
import { jobs, whenever } from "./events.js";
import { number, percent, short, t, time } from "./words.js";

const PAUSE = 1200; // milliseconds between two boards
const MOST_POINTS = 1200;
const SVG = "http://www.w3.org/2000/svg";

/** What a job's curves show: a name, the place in a point, and how a value is told. @type {[string, number, (value: number) => string][]} */
const CURVES = [
  ["Progress", 1, percent],
  ["Nodes a second", 2, short],
  ["Found", 3, number],
  ["Best", 4, number],
];

/** Curves of a job over time, each with its last value. */
export class Curves {
  constructor() {
    this.node = el("div", { class: "curves" });
    /** @type {number[][]} */
    this.points = [];
    /** @type {number | undefined} */
    this.maximum = undefined; // what the best is counted down from, where a score is told instead
  }

  /** @param {any} job */
  add(job) {
    const last = this.points[this.points.length - 1];
    const point = [Date.now() / 1000, job.fraction, job.nodes_per_second ?? 0, job.solutions, job.best ?? NaN];
    if (last && point.slice(1).every((value, k) => Object.is(value, last[k + 1]))) return;
    this.points.push(point);
    if (this.points.length > MOST_POINTS) this.points = this.points.filter((_, k) => k % 2 === 0);
    this.draw();
  }

  draw() {
    this.node.hidden = this.points.length < 3; // of a job that was over at once there is nothing to see
    const minimises = this.points.some((point) => Number.isFinite(point[4]) && point[4] !== null);
    const shown = CURVES.filter(([, what]) => (minimises ? what === 4 || what === 2 : what !== 4));
    this.node.replaceChildren(...shown.map(([name, what, tell]) => this.curve(name, what, tell)));
  }

  /** @param {string} name @param {number} what @param {(value: number) => string} tell */
  curve(name, what, tell) {
    const score = what === 4 && this.maximum !== undefined;
    const value = (/** @type {number[]} */ point) => (score ? /** @type {number} */ (this.maximum) - point[what] : point[what]);
    const points = this.points.filter((point) => Number.isFinite(point[what]));
    const values = points.map(value);
    const label = score ? `${t("Score of")} ${number(/** @type {number} */ (this.maximum))}` : { Progress: t("Progress"), "Nodes a second": t("Nodes a second"), Found: t("Found"), Best: t("Best") }[name];
    const now = values.length ? tell(values[values.length - 1]) : "";
    const low = what === 4 ? Math.min(...values) : 0;
    const high = Math.max(...values, what === 1 ? 1e-9 : low + 1e-9);
    const [first, last] = points.length ? [points[0][0], points[points.length - 1][0]] : [0, 1];
    const span = Math.max(last - first, 1e-6);
    const path = document.createElementNS(SVG, "path");
    const x = (/** @type {number[]} */ point) => ((100 * (point[0] - first)) / span).toFixed(2);
    const y = (/** @type {number[]} */ point) => (38 - (36 * (value(point) - low)) / (high - low)).toFixed(2);
    const step = what > 2; // what is counted stays until it changes
    path.setAttribute("d", points.map((point, k) => (k ? (step ? `H${x(point)}V${y(point)}` : `L${x(point)} ${y(point)}`) : `M${x(point)} ${y(point)}`)).join(""));
    const svg = document.createElementNS(SVG, "svg");
    for (const [key, text] of Object.entries({ class: "curve", viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img", "aria-label": `${label}: ${now}` })) svg.setAttribute(key, text);
    const ground = document.createElementNS(SVG, "rect");
    ground.setAttribute("width", "100");
    ground.setAttribute("height", "40");
    svg.append(ground, path);
    return el("div", {}, el("div", { class: "row between small" }, el("span", {}, label), el("b", {}, now)), svg, el("div", { class: "row between muted small" }, el("span", {}, "0 s"), el("span", {}, points.length ? time(span) : "")));
  }
}

/** The boards of a job, one after another, for as long as it runs and somebody looks. */
export class Boards {
  /** @param {string} name @param {(reply: any) => void} show */
  constructor(name, show) {
    this.name = name;
    this.show = show;
    this.best = false; // the best board rather than where the search stands
    this.on = false;
    this.turn = 0;
    this.seen = 0; // the number of the board that is shown; 0: none
    /** @type {number | undefined} */
    this.maximum = undefined; // of a score
  }

  go() {
    if (this.on) return;
    this.on = true;
    this.turn += 1;
    this.ask(this.turn);
  }

  stop() {
    this.on = false;
  }

  /** @param {number} turn of this asking: one that was stopped does not go on beside the next */
  async ask(turn) {
    while (this.on && turn === this.turn) {
      if (!document.hidden) {
        const reply = await api(`jobs/${this.name}/board?best=${this.best}&seen=${this.seen}`).catch(() => null);
        if (!this.on || turn !== this.turn) return;
        if (reply?.svg) this.show(reply);
        if (reply?.maximum) this.maximum = reply.maximum;
        this.seen = reply?.number ?? this.seen;
        if (jobs.get(this.name)?.state !== "running") {
          this.on = false;
          return;
        }
      }
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

/** Words for a board of a job. @param {any} reply */
export function boardWords(reply) {
  return { standing: t("where the search stands"), answer: t("the best so far"), puzzle: t("what was asked: this search has no board on its way") }[/** @type {"standing"} */ (reply.shows)] ?? "";
}

/** A job followed on the page where it was started: a line of numbers, curves, stop, and the way to its page. */
export class Follower {
  /** @param {string} name @param {(reply: any) => void} board @param {() => void} over @param {Node} more what else can be done with it */
  constructor(name, board, over, more) {
    this.name = name;
    this.more = more;
    this.watched = true; // until the board is wanted for something else
    this.over = over;
    this.boards = new Boards(name, board);
    this.curves = new Curves();
    this.pill = el("span", { class: "pill" }, t("starting"));
    this.bar = el("i");
    this.numbers = el("p", { class: "numbers" });
    this.fault = el("p", { class: "fault", role: "alert" });
    this.stopper = el("button", { type: "button", onclick: () => this.act("stop") }, t("Stop"));
    this.found = el("button", { type: "button", disabled: true, onclick: () => { this.leave(); this.over(); } }, t("Answers so far"));
    this.log = el("pre", { class: "log", tabindex: 0, role: "log", "aria-label": t("Log") });
    this.logs = el("details", { ontoggle: () => this.readLog() }, el("summary", {}, t("Log")), this.log);
    this.goer = el("button", { type: "button", onclick: () => this.act("resume"), disabled: true }, t("Go on"));
    this.node = el(
      "div",
      { class: "follow" },
      el("p", { class: "row" }, this.pill, el("a", { href: `/jobs/${encodeURIComponent(name)}` }, `${t("Job")} ${name}`)),
      el("div", { class: "bar" }, this.bar),
      this.numbers,
      this.curves.node,
      el("div", { class: "row" }, this.stopper, this.goer, this.found, this.more),
      this.fault,
      this.logs,
    );
    this.was = "";
    whenever(() => {
      const job = jobs.get(name);
      if (job && this.node.isConnected) this.update(job);
    });
    this.wait();
  }

  /** The board is wanted for something else. */
  leave() {
    this.watched = false;
    this.boards.stop();
  }

  /** Until it is there, or has died of what its log says. */
  async wait() {
    while (!jobs.has(this.name) && this.node) {
      const job = await api(`jobs/${this.name}`).catch(() => null);
      if (job?.error) {
        this.pill.textContent = t(job.state);
        this.fault.textContent = job.error;
        return;
      }
      await new Promise((done) => setTimeout(done, 700));
    }
    this.update(jobs.get(this.name));
  }

  /** @param {any} job */
  update(job) {
    this.pill.textContent = t(job.state);
    this.pill.className = `pill ${job.state}`;
    this.stopper.disabled = job.state !== "running";
    this.goer.disabled = job.state !== "stopped";
    this.found.disabled = !job.solutions;
    if (job.fraction === undefined) return;
    this.bar.style.width = `${100 * job.fraction}%`;
    const found = job.best === undefined ? `${number(job.solutions)} ${t("found")}` : `${t("Best")} ${number(job.best)}`;
    const pace = job.nodes_per_second ? `, ${short(job.nodes_per_second)} ${t("nodes a second")}` : "";
    this.numbers.textContent = `${percent(job.fraction)}, ${found}${pace}, ${time(job.seconds)}`;
    this.curves.maximum = this.boards.maximum;
    this.curves.add(job);
    this.boards.best = job.best !== undefined;
    if (job.state === "running") {
      if (this.watched) this.boards.go();
    } else if (this.was === "running" || (job.state === "finished" && this.was !== "finished")) {
      this.boards.stop();
      if (this.watched) this.over();
      this.readLog();
    }
    this.was = job.state;
  }

  async readLog() {
    if (!this.logs.open) return;
    const { log } = await api(`jobs/${this.name}/log`).catch(() => ({ log: "" }));
    this.log.textContent = log;
  }

  /** @param {"stop" | "resume"} what */
  async act(what) {
    this.fault.textContent = "";
    try {
      await api(`jobs/${this.name}/${what}`, {});
    } catch (error) {
      this.fault.textContent = /** @type {Error} */ (error).message;
    }
  }
}
