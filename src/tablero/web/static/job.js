// One job: where it stands, where it has been, what it has found, and what to do with it.
// @ts-check
import { api, drawing, el, Refused } from "./dom.js";
import { jobs, whenever } from "./events.js";
import { number, short, t, time } from "./words.js";

/** @param {HTMLElement} main @param {string} name @param {any[]} families */
export function open(main, name, families) {
  document.title = `${name} · tablero`;
  new JobPage(main, name, families);
}

class JobPage {
  /** @param {HTMLElement} main @param {string} name @param {any[]} families */
  constructor(main, name, families) {
    this.name = name;
    this.families = families;
    this.at = 0; // the answer that is shown
    this.had = -1; // answers when they were last asked for
    /** @type {number[][]} */
    this.points = [];
    this.pill = el("span", { class: "pill" });
    this.bar = el("i");
    this.board = el("div", { class: "board" });
    this.caption = el("figcaption", { "aria-live": "polite" });
    this.leaf = el("div", { class: "row" });
    this.totals = el("dl");
    this.log = el("pre", { class: "log", tabindex: 0, role: "log", "aria-label": t("Log") });
    this.fault = el("p", { class: "fault", role: "alert" });
    this.threads = el("input", { type: "number", min: 1, max: 256, value: 1, id: "threads", class: "threads" });
    this.stop = el("button", { onclick: () => this.act("stop") }, t("Stop"));
    this.resume = el("button", { class: "main", onclick: () => this.act("resume") }, t("Go on"));
    this.remove = el("button", { onclick: () => this.delete() }, t("Delete"));
    this.curve = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.curve.setAttribute("class", "curve");
    this.curve.setAttribute("viewBox", "0 0 100 40");
    this.curve.setAttribute("preserveAspectRatio", "none");
    this.curve.setAttribute("role", "img");
    this.curve.setAttribute("aria-label", t("Progress over time"));
    this.command = el("code");
    main.append(
      el("div", { class: "row between" }, el("h1", {}, name, " ", this.pill), el("a", { href: "/jobs" }, t("All jobs"))),
      el("div", { class: "bar" }, this.bar),
      el("p", { class: "about" }),
      el(
        "div",
        { class: "two" },
        el("section", { "aria-label": t("Answers") }, el("figure", {}, this.board, this.caption), this.leaf),
        el(
          "div",
          {},
          el("div", { class: "card" }, el("h2", {}, t("Totals")), this.totals, this.curve),
          el(
            "div",
            { class: "card" },
            el("div", { class: "row" }, this.stop, this.resume, el("a", { class: "button", href: `/api/jobs/${encodeURIComponent(name)}/export`, download: `${name}.json` }, t("Export")), this.remove),
            el("label", { class: "field", for: "threads" }, el("span", {}, t("Threads when it goes on")), this.threads),
            this.fault,
            el("p", { class: "muted" }, t("On a terminal, or with the workers of other machines:")),
            this.command,
          ),
          el("div", { class: "card" }, el("h2", {}, t("Log")), this.log),
        ),
      ),
    );
    this.command.textContent = `tablero jobs resume ${name} --cluster HOST:8786`;
    this.begin();
  }

  async begin() {
    try {
      const job = await api(`jobs/${this.name}`);
      this.points = job.points ?? [];
      this.update(job);
    } catch (error) {
      this.fault.textContent = /** @type {Refused} */ (error).message;
    }
    whenever(() => {
      const job = jobs.get(this.name);
      if (job) this.update(job);
    });
    this.readLog();
    setInterval(() => this.readLog(), 3000);
    // A job that has just been asked for is not there yet, or never comes to be: its log says why.
    const waiting = setInterval(async () => {
      if (jobs.has(this.name)) return clearInterval(waiting);
      const job = await api(`jobs/${this.name}`).catch(() => null);
      if (job && !jobs.has(this.name)) this.update(job);
      return undefined;
    }, 1000);
  }

  /** @param {any} job */
  update(job) {
    this.pill.textContent = t(job.state);
    this.pill.className = `pill ${job.state}`;
    this.stop.disabled = job.state !== "running";
    this.resume.disabled = job.state !== "stopped";
    this.remove.disabled = job.state === "running" || job.state === "starting";
    if (job.error) this.fault.textContent = job.error;
    if (job.fraction === undefined) {
      if (job.state === "ended") this.caption.textContent = job.error;
      return;
    }
    this.bar.style.width = `${100 * job.fraction}%`;
    const point = [Date.now() / 1000, job.fraction, job.nodes_per_second ?? 0, job.solutions, job.best ?? 0];
    this.points.push(point);
    this.drawCurve();
    const shown = [
      [t("Question"), `${job.family} ${job.verb}`],
      [t("Progress"), `${(100 * job.fraction).toFixed(4)} %`],
      [t("Found"), number(job.solutions)],
      job.best !== undefined && [t("Best"), number(job.best)],
      [t("Nodes"), number(job.nodes)],
      job.nodes_per_second !== undefined && [t("Nodes a second"), short(job.nodes_per_second)],
      [t("Time"), time(job.seconds)],
      [t("CPU time"), time(job.cpu_seconds)],
      job.seconds_left !== undefined && [t("About left"), time(job.seconds_left)],
      job.workers !== undefined && [t("Workers"), number(job.workers)],
      [t("Units"), `${number(job.units.ready)} ${t("ready")}, ${number(job.units.leased)} ${t("at work")}, ${number(job.units.done)} ${t("done")}`],
      [t("Kernel"), job.kernel],
      [t("Begun"), new Date(job.created).toLocaleString()],
    ];
    this.totals.replaceChildren(...shown.filter(Boolean).flatMap((pair) => [el("dt", {}, /** @type {any} */ (pair)[0]), el("dd", {}, /** @type {any} */ (pair)[1])]));
    if (job.solutions !== this.had || job.best !== this.best) {
      this.had = job.solutions;
      this.best = job.best;
      this.readAnswers();
    }
  }

  drawCurve() {
    if (this.points.length > 1200) this.points = this.points.filter((_, k) => k % 2 === 0);
    const [first, last] = [this.points[0][0], this.points[this.points.length - 1][0]];
    const span = Math.max(last - first, 1e-6);
    const what = this.best === undefined ? 1 : 4; // of a search for the best, its best; else how far it has come
    const top = Math.max(...this.points.map((point) => point[what]), 1e-9);
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", this.points.map((point, k) => `${k ? "L" : "M"}${((100 * (point[0] - first)) / span).toFixed(2)} ${(39 - (37 * point[what]) / top).toFixed(2)}`).join(""));
    const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    ground.setAttribute("width", "100");
    ground.setAttribute("height", "40");
    this.curve.replaceChildren(ground, path);
  }

  async readAnswers() {
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    try {
      const reply = await api(`jobs/${this.name}/answers?from=${this.at}&count=1`);
      if (reply.svgs?.length) this.board.replaceChildren(drawing(reply.svgs[0]));
      else if (reply.answers?.length) this.board.replaceChildren(el("pre", { tabindex: 0 }, JSON.stringify(reply.answers[0])));
      else if (reply.puzzle_svg) this.board.replaceChildren(drawing(reply.puzzle_svg));
      else this.board.replaceChildren(el("p", {}, t("No answer yet.")));
      this.caption.textContent = reply.kept ? `${t("answer")} ${number(this.at + 1)} ${t("of")} ${number(reply.kept)}` : "";
      this.makeLeaf(reply.kept ?? 0);
    } catch (error) {
      this.caption.textContent = /** @type {Refused} */ (error).message;
    }
    this.reading = false;
    if (this.again) {
      this.again = false;
      setTimeout(() => this.readAnswers(), 500);
    }
  }

  /** @param {number} kept */
  makeLeaf(kept) {
    const go = (/** @type {number} */ to) => {
      this.at = Math.max(0, Math.min(kept - 1, to));
      this.readAnswers();
    };
    const leaf = (/** @type {number} */ to, /** @type {string} */ sign, /** @type {string} */ label) => el("button", { class: "small", "aria-label": label, onclick: () => go(to) }, sign);
    this.leaf.replaceChildren(...(kept > 1 ? [leaf(0, "|◀", t("First")), leaf(this.at - 1, "◀", t("Previous")), leaf(this.at + 1, "▶", t("Next")), leaf(kept - 1, "▶|", t("Last"))] : []));
  }

  async readLog() {
    const { log } = await api(`jobs/${this.name}/log`).catch(() => ({ log: "" }));
    if (log !== this.log.textContent) {
      this.log.textContent = log;
      this.log.scrollTop = this.log.scrollHeight;
    }
  }

  /** @param {"stop" | "resume"} what */
  async act(what) {
    this.fault.textContent = "";
    try {
      await api(`jobs/${this.name}/${what}`, what === "resume" ? { threads: Number(this.threads.value) } : {});
    } catch (error) {
      this.fault.textContent = /** @type {Refused} */ (error).message;
    }
  }

  async delete() {
    if (!confirm(t("Delete this job and all that it has found?"))) return;
    try {
      await api(`jobs/${this.name}`, undefined, "DELETE");
      location.href = "/jobs";
    } catch (error) {
      this.fault.textContent = /** @type {Refused} */ (error).message;
    }
  }
}
