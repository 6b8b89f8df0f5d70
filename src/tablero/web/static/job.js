// The page of a job: board, answers, totals, curves, workers, log and buttons.
// @ts-check
import { api, drawing, el, keepBoard, Refused } from "./dom.js";
import { jobs, whenever } from "./events.js";
import { Boards, boardWords, Curves } from "./live.js";
import { number, percent, short, t, time } from "./words.js";

const LOOK = 4000; // milliseconds between two requests of the log and the workers

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
    this.had = -1; // number of answers at the last request
    this.kept = 0;
    this.logged = -1; // size of the log at the last request
    /** @type {"answers" | "board" | null} */
    this.chosen = null; // the user's choice; null: automatic
    this.pill = el("span", { class: "pill" });
    this.bar = el("i");
    this.board = el("div", { class: "board" });
    this.caption = el("figcaption", { "aria-live": "polite" });
    this.leaf = el("div", { class: "row" });
    this.totals = el("dl");
    this.curves = new Curves(name);
    this.boards = new Boards(name, (reply) => this.showBoard(reply));
    this.log = el("pre", { class: "log", tabindex: 0, role: "log", "aria-label": t("Log") });
    this.fault = el("p", { class: "fault", role: "alert" });
    this.threads = el("input", { type: "number", min: 1, max: 256, value: 1, id: "threads", class: "threads" });
    this.stop = el("button", { onclick: () => this.act("stop") }, t("Stop"));
    this.resume = el("button", { class: "main", onclick: () => this.act("resume") }, t("Resume"));
    this.remove = el("button", { onclick: () => this.delete() }, t("Delete"));
    this.sees = el("button", { class: "small", "aria-pressed": "false", onclick: () => this.choose("board") }, t("Current board"));
    this.reads = el("button", { class: "small", "aria-pressed": "false", onclick: () => this.choose("answers") }, t("Answers"));
    this.workers = el("tbody");
    this.idle = el("p", { class: "muted" });
    const heads = [[t("Worker")], [t("Unit"), "n"], [t("Time of the unit"), "n"], [t("Units done"), "n"], [t("Nodes"), "n"], [t("Answers"), "n"]];
    this.table = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Workers") }, el("table", {}, el("thead", {}, el("tr", {}, ...heads.map(([head, kind]) => el("th", { scope: "col", class: kind ?? false }, head)))), this.workers));
    this.join = el("pre", { class: "log", tabindex: 0, role: "region", "aria-label": t("Commands for other machines") });
    this.joining = el("div", {}, el("p", { class: "muted" }, t("With these commands other machines join (OTHER is one of them):")), this.join, el("button", { class: "small", onclick: () => this.copyJoin() }, t("Copy")));
    main.append(
      el("div", { class: "row between" }, el("h1", {}, name, " ", this.pill), el("a", { href: "/jobs" }, t("All jobs"))),
      el("div", { class: "bar" }, this.bar),
      el("p", { class: "about" }),
      el(
        "div",
        { class: "two" },
        el("section", { "aria-label": t("Board") }, el("div", { class: "row views" }, this.sees, this.reads), el("figure", {}, this.board, this.caption), this.leaf, el("div", { class: "row tools" }, this.saver("svg"), this.saver("pdf"))),
        el(
          "div",
          {},
          el("div", { class: "card" }, el("h2", {}, t("Totals")), this.totals, this.curves.node),
          el(
            "div",
            { class: "card" },
            el("div", { class: "row" }, this.stop, this.resume, el("a", { class: "button", href: `/api/jobs/${encodeURIComponent(name)}/export`, download: `${name}.json` }, t("Export")), this.remove),
            el("label", { class: "field", for: "threads" }, el("span", {}, t("Threads after resuming")), this.threads),
            this.fault,
          ),
          el("div", { class: "card" }, el("h2", {}, t("Units and workers")), this.idle, this.table, this.joining),
          el("div", { class: "card" }, el("h2", {}, t("Log")), this.log),
        ),
      ),
    );
    this.begin();
  }

  /** @param {"svg" | "pdf"} kind */
  saver(kind) {
    const save = () => keepBoard(this.name, this.board, kind).catch((error) => (this.caption.textContent = error.message));
    return el("button", { class: "small", onclick: save }, kind.toUpperCase());
  }

  async begin() {
    try {
      const job = await api(`jobs/${this.name}`);
      this.curves.begin(job);
      this.showWorkers(job);
      this.update(job);
    } catch (error) {
      this.fault.textContent = /** @type {Refused} */ (error).message;
    }
    whenever(() => {
      const job = jobs.get(this.name);
      if (job) this.update(job);
    });
    this.look();
    setTimeout(() => this.readLog(), LOOK / 2); // the first lines of a new job
  }

  /** Load the log and the workers regularly; also the values of a job that has no file yet. */
  async look() {
    for (;;) {
      if (!document.hidden) {
        const job = await api(`jobs/${this.name}?points=false`).catch(() => null);
        if (job) this.showWorkers(job);
        const size = job?.log_size ?? 0;
        if (job && size !== this.logged) await this.readLog();
        this.logged = size;
        if (job && !jobs.has(this.name)) this.update(job);
      }
      await new Promise((done) => setTimeout(done, LOOK));
    }
  }

  /** @param {any} job */
  update(job) {
    this.pill.textContent = t(job.state);
    this.pill.className = `pill ${job.state}`;
    this.stop.disabled = job.state !== "running";
    this.resume.disabled = job.state !== "stopped";
    this.remove.disabled = job.state === "running" || job.state === "starting";
    if (job.error) this.fault.textContent = job.error;
    if (job.units === undefined) { // it has no file yet
      if (job.state === "ended") this.caption.textContent = job.error;
      return;
    }
    this.bar.style.width = `${100 * job.fraction}%`;
    this.curves.add(job);
    const shown = [
      [t("Question"), `${job.family} ${job.verb}`],
      [t("Progress"), percent(job.fraction)],
      [t("Found"), number(job.solutions)],
      job.best !== undefined && this.bestWords(job.best),
      [t("Nodes"), number(job.nodes)],
      job.nodes_per_second !== undefined && [t("Nodes a second"), short(job.nodes_per_second)],
      [t("Time"), time(job.seconds)],
      [t("CPU time"), time(job.cpu_seconds)],
      job.seconds_left !== undefined && [t("Estimated time left"), time(job.seconds_left)],
      job.workers !== undefined && [t("Workers"), number(job.workers)],
      [t("Units"), `${number(job.units.ready)} ${t("ready")}, ${number(job.units.leased)} ${t("at work")}, ${number(job.units.done)} ${t("done")}`],
      job.units.lost > 0 && [t("Lost with a worker"), number(job.units.lost)],
      job.units.quarantined > 0 && [t("Quarantined"), number(job.units.quarantined)],
      [t("Kernel"), job.kernel],
      [t("Started"), new Date(job.created).toLocaleString()],
    ];
    this.totals.replaceChildren(...shown.filter(Boolean).flatMap((pair) => [el("dt", {}, /** @type {any} */ (pair)[0]), el("dd", {}, /** @type {any} */ (pair)[1])]));
    this.state = job.state;
    if (job.solutions !== this.had || job.best !== this.best) {
      this.had = job.solutions;
      this.best = job.best;
      this.readAnswers();
    }
    this.view();
  }

  /** The best value; for a score, the points reached instead of the points missing. @param {number} best */
  bestWords(best) {
    const most = this.curves.maximum;
    return most === undefined ? [t("Best"), number(best)] : [t("Best score"), `${number(most - best)} ${t("of")} ${number(most)}`];
  }

  // The board: the current one, or an answer.

  /** @param {"answers" | "board"} what */
  choose(what) {
    this.chosen = what;
    this.boards.seen = 0;
    if (what === "answers") this.readAnswers();
    else {
      this.boards.stop();
      setTimeout(() => this.boards.go(), 0); // load it once, also for a job that is not running
    }
    this.view();
  }

  get seesBoard() {
    return this.chosen === "board" || (this.chosen === null && this.kept === 0);
  }

  view() {
    this.sees.setAttribute("aria-pressed", String(this.seesBoard));
    this.reads.setAttribute("aria-pressed", String(!this.seesBoard));
    this.leaf.hidden = this.seesBoard;
    if (!this.seesBoard) this.boards.stop();
    else if (this.state === "running" || this.boards.seen === 0) this.boards.go();
  }

  /** @param {any} reply */
  showBoard(reply) {
    if (!this.seesBoard) return;
    this.put(drawing(reply.svg));
    this.caption.textContent = boardWords(reply);
  }

  /** @param {any} node */
  put(node) {
    this.board.replaceChildren(node);
    const view = node.viewBox?.baseVal;
    if (view) this.board.style.aspectRatio = `${view.width} / ${Math.min(view.height, 1.3 * view.width)}`;
  }

  async readAnswers() {
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    try {
      const reply = await api(`jobs/${this.name}/answers?from=${this.at}&count=1`);
      this.kept = reply.kept ?? 0;
      if (reply.maximum !== undefined) {
        const known = this.curves.maximum !== undefined;
        this.curves.maximum = reply.maximum;
        this.curves.draw();
        const job = jobs.get(this.name);
        if (!known && job) this.update(job);
      }
      if (!this.seesBoard) this.showAnswer(reply);
      this.makeLeaf(this.kept);
      this.view();
    } catch (error) {
      this.caption.textContent = /** @type {Refused} */ (error).message;
    }
    this.reading = false;
    if (this.again) {
      this.again = false;
      setTimeout(() => this.readAnswers(), 500);
    }
  }

  /** @param {any} reply */
  showAnswer(reply) {
    if (reply.svgs?.length) this.put(drawing(reply.svgs[0]));
    else if (reply.answers?.length) this.put(el("pre", { tabindex: 0 }, JSON.stringify(reply.answers[0])));
    else if (reply.puzzle_svg) this.put(drawing(reply.puzzle_svg));
    else this.put(el("p", {}, this.noAnswer()));
    const score = reply.score === undefined ? "" : `: ${number(reply.score)} ${t("of")} ${number(reply.maximum)} ${t("joins match")}`;
    this.caption.textContent = reply.kept ? `${t("answer")} ${number(this.at + 1)} ${t("of")} ${number(reply.kept)}${score}` : this.noAnswer();
  }

  noAnswer() {
    if (this.state !== "finished") return t("No answer yet.");
    return this.had > 0 ? t("The answers were counted, but not stored.") : t("There is no answer.");
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

  // The workers.

  /** @param {any} job */
  showWorkers(job) {
    const all = job.at_work ?? [];
    this.table.hidden = all.length === 0;
    this.idle.hidden = all.length > 0;
    this.idle.textContent = job.state === "running" ? t("Loading the workers …") : t("No worker is active.");
    this.workers.replaceChildren(
      ...all.map((/** @type {any} */ one) =>
        el(
          "tr",
          {},
          el("td", {}, one.worker),
          el("td", { class: "n" }, one.unit === undefined ? "–" : number(one.unit)),
          el("td", { class: "n" }, one.seconds === undefined ? "–" : time(one.seconds)),
          el("td", { class: "n" }, number(one.units)),
          el("td", { class: "n" }, short(one.nodes)),
          el("td", { class: "n" }, number(one.found)),
        ),
      ),
    );
    const commands = (job.join ?? []).join("\n");
    this.joining.hidden = !commands;
    if (this.join.textContent !== commands) this.join.textContent = commands;
  }

  async copyJoin() {
    await navigator.clipboard.writeText(this.join.textContent ?? "").catch(() => undefined);
  }

  async readLog() {
    const reply = await api(`jobs/${this.name}/log`).catch(() => null);
    if (reply && reply.log !== this.log.textContent) { // keep the text when the connection is lost
      this.log.textContent = reply.log;
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
