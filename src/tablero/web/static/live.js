// The progress of a job: numbers, curves and current board, for its own page and the page that started it.
// @ts-check
import { api, el } from "./dom.js";
import { jobs, whenever } from "./events.js";
import { foundWords, number, percent, short, t, time } from "./words.js";

const PAUSE = 1200; // milliseconds between two requests of the board or of the annealing trace
const FIRST = [0, 0, NaN, 0, NaN]; // the first point of every job
const MOST_POINTS = 1200;
const SVG = "http://www.w3.org/2000/svg";

/** The curves of a job: name, index in a point, and format of a value. @type {[string, number, (value: number) => string][]} */
const CURVES = [
  ["Progress", 1, percent],
  ["Nodes a second", 2, short],
  ["Found", 3, number],
  ["Best", 4, number],
];

/** The curves of annealing over its trials. @type {[string, number, (value: number) => string][]} */
const TRACE = [
  ["Cost", 2, number],
  ["Temperature", 1, (value) => number(Number(value.toPrecision(3)))],
];

/** Curves of a job over time, each with its last value; for annealing also over the trials. */
export class Curves {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.asking = false; // whether the trace is being requested
    this.grows = true; // until the job ends
    this.node = el("div", { class: "curves", hidden: true });
    /** @type {number[][]} */
    this.points = [];
    /** @type {number[][]} */
    this.trace = [];
    /** @type {number | undefined} */
    this.maximum = undefined; // the highest score, if scores are shown
  }

  /** Start with the points that the server has stored. @param {any} job */
  begin(job) {
    const known = (/** @type {any[]} */ points) => (points ?? []).map((point) => point.map((/** @type {any} */ value) => value ?? NaN));
    this.points = known(job.points);
    this.trace = known(job.trace);
    this.grows = job.state === "running" || job.state === "starting";
    this.draw();
  }

  /** @param {any} job */
  add(job) {
    const point = [job.seconds, job.fraction, job.nodes_per_second || NaN, job.solutions, job.best ?? NaN];
    if (!this.points.length && job.seconds) this.points = [FIRST];
    if (job.trials !== undefined) this.askTrace();
    this.grows = job.state === "running" || job.state === "starting";
    const last = this.points[this.points.length - 1];
    if (last && last[0] === point[0] && Number.isNaN(point[2])) point[2] = last[2]; // keep the last known speed
    if (last && point.every((value, k) => Object.is(value, last[k]))) return;
    this.points = put(this.points, point);
    this.draw();
  }

  /** Load the new points of the annealing trace; the last known point may be replaced. */
  async askTrace() {
    const known = () => this.trace[this.trace.length - 1]?.[0] ?? -1;
    const wanted = () => jobs.get(this.name)?.trials ?? known(); // a deleted job has no new points
    if (this.asking) return;
    this.asking = true;
    while (known() !== wanted()) {
      const kept = wanted() < known() ? [] : this.trace.slice(0, -1); // a restarted run has none yet
      const reply = await api(`jobs/${this.name}/trace?after=${kept[kept.length - 1]?.[0] ?? -1}`).catch(() => null);
      if (reply) {
        this.trace = [...kept, ...reply.trace];
        this.draw();
      }
      await new Promise((done) => setTimeout(done, PAUSE));
    }
    this.asking = false;
  }

  draw() {
    this.node.hidden = this.points.length < 2 && this.trace.length < 2; // a job that ended at once has no curves
    const minimises = this.points.some((point) => Number.isFinite(point[4]) && point[4] !== null);
    const anneals = this.trace.length > 1 ? TRACE : [];
    const suits = (/** @type {number} */ what) => what === 2 || (minimises ? what === 4 : what !== 4 && !anneals.length); // annealing is at no part of anything
    const shown = CURVES.filter(([, what]) => suits(what) && (this.grows || this.points.some((point) => Number.isFinite(point[what]))));
    this.node.replaceChildren(...anneals.map((one) => this.curve(one, this.trace)), ...shown.map((one) => this.curve(one, this.points)));
  }

  /** @param {[string, number, (value: number) => string]} one @param {number[][]} from */
  curve([name, what, format], from) {
    const anneals = from === this.trace;
    const score = !anneals && what === 4 && this.maximum !== undefined;
    const value = (/** @type {number[]} */ point) => (score ? /** @type {number} */ (this.maximum) - point[what] : point[what]);
    const points = from.filter((point) => Number.isFinite(point[what]));
    const values = points.map(value);
    const names = { Progress: t("Progress"), "Nodes a second": t("Nodes a second"), Found: t("Found"), Best: t("Best"), Cost: t("Cost"), Temperature: t("Temperature") };
    const label = score ? `${t("Score of")} ${number(/** @type {number} */ (this.maximum))}` : names[/** @type {keyof typeof names} */ (name)];
    const now = values.length ? format(values[values.length - 1]) : "";
    const low = !anneals && what === 4 ? Math.min(...values) : 0;
    const high = Math.max(...values, what === 1 ? 1e-9 : low + 1e-9);
    const [first, last] = points.length ? [points[0][0], points[points.length - 1][0]] : [0, 1];
    const span = Math.max(last - first, 1e-6);
    const path = document.createElementNS(SVG, "path");
    const early = anneals && coolsEarly(points);
    const along = (/** @type {number[]} */ point) => (early ? Math.log1p(point[0] - first) / Math.log1p(span) : (point[0] - first) / span);
    const x = (/** @type {number[]} */ point) => (100 * along(point)).toFixed(2);
    const y = (/** @type {number[]} */ point) => (38 - (36 * (value(point) - low)) / (high - low)).toFixed(2);
    const step = !anneals && what > 2; // counts are constant until they change
    path.setAttribute("d", points.map((point, k) => (k ? (step ? `H${x(point)}V${y(point)}` : `L${x(point)} ${y(point)}`) : `M${x(point)} ${y(point)}`)).join(""));
    const svg = document.createElementNS(SVG, "svg");
    for (const [key, text] of Object.entries({ class: "curve", viewBox: "0 0 100 40", preserveAspectRatio: "none", role: "img", "aria-label": `${label}: ${now}` })) svg.setAttribute(key, text);
    const ground = document.createElementNS(SVG, "rect");
    ground.setAttribute("width", "100");
    ground.setAttribute("height", "40");
    svg.append(ground, path);
    const ends = anneals ? [short(first), `${short(last)} ${early ? t("trials, logarithmic") : t("trials")}`] : [time(first), points.length ? time(last) : ""];
    return el("div", {}, el("div", { class: "row between small" }, el("span", {}, label), el("b", {}, now)), svg, el("div", { class: "row between muted small" }, el("span", {}, ends[0]), el("span", {}, ends[1])));
  }
}

/** Whether the temperature falls so early that a linear scale would not show it. @param {number[][]} points */
function coolsEarly(points) {
  const [begin, end] = [points[0], points[points.length - 1]];
  const half = points.find((point) => point[1] < begin?.[1] / 2);
  return half !== undefined && half[0] - begin[0] < (end[0] - begin[0]) / 20;
}

/** Add a point; it replaces one at the same place, and an earlier one starts a new curve. @param {number[][]} points @param {number[]} point */
function put(points, point) {
  const last = points[points.length - 1];
  if (last && last[0] > point[0]) return [point];
  const all = last && last[0] === point[0] ? [...points.slice(0, -1), point] : [...points, point];
  return all.length > MOST_POINTS ? all.filter((_, k) => k % 2 === 0 || k === all.length - 1) : all;
}

/** Requests the boards of a job while it runs and the page is visible. */
export class Boards {
  /** @param {string} name @param {(reply: any) => void} show */
  constructor(name, show) {
    this.name = name;
    this.show = show;
    this.best = false; // the best board instead of the current one
    this.on = false;
    this.turn = 0;
    this.seen = 0; // the number of the shown board; 0: none
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

  /** @param {number} turn of this loop: a stopped loop does not continue beside the next one */
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

/** The caption of a job's board. @param {any} reply */
export function boardWords(reply) {
  return { standing: t("the current board"), answer: t("the best so far"), puzzle: t("the puzzle: this search has no current board") }[/** @type {"standing"} */ (reply.shows)] ?? "";
}

/** A job on the page that started it: numbers, curves, buttons and a link to its page. */
export class Follower {
  /** @param {string} name @param {(reply: any) => void} board @param {() => void} over @param {Node} more what else can be done with it */
  constructor(name, board, over, more) {
    this.name = name;
    this.more = more;
    this.watched = true; // until the board shows something else
    this.over = over;
    this.curves = new Curves(name);
    this.boards = new Boards(name, board);
    this.pill = el("span", { class: "pill" }, t("starting"));
    this.bar = el("i");
    this.numbers = el("p", { class: "numbers" });
    this.fault = el("p", { class: "fault", role: "alert" });
    this.stopper = el("button", { type: "button", onclick: () => this.act("stop") }, t("Stop"));
    this.found = el("button", { type: "button", disabled: true, onclick: () => { this.leave(); this.over(); } }, t("Answers so far"));
    this.log = el("pre", { class: "log", tabindex: 0, role: "log", "aria-label": t("Log") });
    this.logs = el("details", { ontoggle: () => this.readLog() }, el("summary", {}, t("Log")), this.log);
    this.goer = el("button", { type: "button", onclick: () => this.act("resume"), disabled: true }, t("Resume"));
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

  /** Stop showing boards of the job. */
  leave() {
    this.watched = false;
    this.boards.stop();
  }

  /** Wait until the job exists or is refused. */
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
    const most = this.boards.maximum;
    const best = most === undefined ? `${t("Best")} ${number(job.best ?? 0)}` : `${t("Best score")} ${number(most - (job.best ?? most))} ${t("of")} ${number(most)}`;
    const found = job.best === undefined ? foundWords(job.solutions) : best;
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
    const reply = await api(`jobs/${this.name}/log`).catch(() => null); // keep the text when the connection is lost
    if (reply) this.log.textContent = reply.log;
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
