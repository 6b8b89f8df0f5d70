// A family's page: the board on the left; the puzzle, the questions and the answers on the right.
// @ts-check
import { api, drawing, el, keep, keepBoard, Refused } from "./dom.js";
import { Fields, ruleOf } from "./form.js";
import { boardWords, Follower } from "./live.js";
import { foundWords, nodesWords, number, said, t, time } from "./words.js";

const MOST_LINK = 20000; // characters of an address that holds a puzzle
const LOOK = 1500; // milliseconds between two queries of the compilation

/** @param {HTMLElement} main @param {any} family */
export async function open(main, family) {
  const page = new FamilyPage(main, family);
  if (family.script) (await import(`/static/families/${family.word}.js`)).enhance(page);
  addEventListener("hashchange", () => page.fromAddress());
  await page.fromAddress();
}

/** The page; a family's own script may add parts and listeners. */
export class FamilyPage {
  /** @param {HTMLElement} main @param {any} family */
  constructor(main, family) {
    this.family = family;
    this.t = t;
    /** @type {any} */
    this.shown = null; // the server's reply for the puzzle
    /** @type {any} */
    this.reply = null; // the last answer
    /** @type {Promise<boolean>} */
    this.setting = Promise.resolve(true); // resolves when the last puzzle is shown or refused
    this.turn = 0; // number of puzzles requested
    this.position = ""; // the puzzle on the board, as text; results belong to one
    /** @type {Map<HTMLElement, string>} */
    this.results = new Map(); // the puzzle of every result
    this.pending = new AbortController(); // cancels the questions about the puzzle on the board
    this.typed = ""; // the form as it was when the board was drawn
    /** @type {((shown: any) => void)[]} */
    this.onshown = [];
    /** @type {((answer: any) => void)[]} */
    this.onanswer = [];
    /** @type {((row: number, column: number, event: PointerEvent) => void)[]} */
    this.oncell = [];
    document.title = `${t(family.title)} · tablero`;
    this.board = el("div", { class: "board" });
    this.caption = el("figcaption", { "aria-live": "polite" });
    this.tools = el("div", { class: "row tools" });
    this.extra = el("div", { class: "card panel", hidden: true }); // for parts added by a family's script
    this.stage = el("div"); // the player, below everything
    this.puzzle = new Fields(family.puzzle, "puzzle");
    this.panel = el("div", { class: "card panel" });
    main.append(
      el("h1", {}, t(family.title)),
      el("p", { class: "about" }, t(family.about)),
      el("div", { class: "two" }, el("section", { "aria-label": t("Board") }, el("figure", {}, this.board, this.caption), this.tools), el("div", {}, this.extra, this.panel)),
      this.stage,
    );
    this.board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.pressed(event));
    this.makeTools();
    this.makePanel();
  }

  makeTools() {
    this.tools.append(
      el("button", { class: "small", onclick: () => this.copyLink() }, t("Copy link")),
      el("button", { class: "small", onclick: () => this.keepBoard("svg") }, "SVG"),
      el("button", { class: "small", onclick: () => this.keepBoard("pdf") }, "PDF"),
      el("button", { class: "small", onclick: () => this.keepJson() }, "JSON"),
      el("button", { class: "small", onclick: () => this.keepText() }, t("Text")),
      el("button", { class: "small", onclick: () => print() }, t("Print")),
    );
  }

  makePanel() {
    const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": t("What to do") });
    const bodies = el("div");
    this.panel.append(tabs, bodies);
    /** @type {Map<string, () => void>} */
    this.tabs = new Map();
    const add = (/** @type {string} */ name, /** @type {string} */ words, /** @type {HTMLElement} */ body) => {
      const button = el("button", { role: "tab", id: `tab-${name}`, "aria-controls": `body-${name}`, "aria-selected": "false" }, words);
      body.id = `body-${name}`;
      body.setAttribute("role", "tabpanel");
      body.setAttribute("aria-labelledby", `tab-${name}`);
      body.hidden = true;
      const choose = () => {
        for (const one of tabs.children) {
          one.setAttribute("aria-selected", String(one === button));
          one.tabIndex = one === button ? 0 : -1;
        }
        for (const one of /** @type {any} */ (bodies.children)) one.hidden = one !== body;
      };
      button.addEventListener("click", choose);
      tabs.append(button);
      bodies.append(body);
      this.tabs?.set(name, choose);
    };
    tabs.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const all = [...tabs.children];
      const next = all[(all.indexOf(/** @type {any} */ (document.activeElement)) + step + all.length) % all.length];
      /** @type {any} */ (next).click();
      /** @type {any} */ (next).focus();
      event.preventDefault();
    });
    add("puzzle", t("Puzzle"), this.puzzleTab());
    for (const verb of this.family.verbs) if (verb.name !== "play") add(verb.name, t(verb.label), this.verbTab(verb));
    this.choose("puzzle");
  }

  /** Add parts to the page, above the questions. @param {...any} parts */
  add(...parts) {
    this.extra.hidden = false;
    this.extra.append(...parts);
  }

  /** @param {string} name */
  choose(name) {
    this.tabs?.get(name)?.();
  }

  puzzleTab() {
    const examples = el("div", { class: "row" });
    for (const example of this.family.examples) {
      examples.append(el("button", { class: "small", type: "button", onclick: () => this.set(example.puzzle) }, t(example.label)));
    }
    const file = el("input", { type: "file", id: "upload", hidden: true, "aria-label": t("A file with a puzzle") });
    file.addEventListener("change", () => this.load(file));
    const form = el(
      "form",
      { novalidate: true, onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.set(this.puzzle.values()); } },
      this.puzzle.node,
      el(
        "div",
        { class: "row" },
        el("button", { class: "main" }, t("Show")),
        this.family.loads && el("button", { type: "button", onclick: () => file.click() }, t("Open a file …")),
        file,
      ),
    );
    this.puzzleFault = el("p", { class: "fault", role: "alert" });
    return el("div", {}, form, this.puzzleFault, el("p", { class: "muted" }, t("Examples")), examples);
  }

  /** @param {any} verb */
  verbTab(verb) {
    const fields = new Fields(verb.fields, verb.name, verb.never, () => (verb.makes ? {} : this.puzzle.values()));
    const fault = el("p", { class: "fault", role: "alert" });
    const result = el("div", { class: "result", "aria-live": "polite" });
    const now = el("button", { class: "main" }, t(verb.label));
    const later = verb.searches && this.jobButton(verb, fields, fault, result);
    const closed = el("p", { class: "muted", hidden: true });
    const offer = () => {
      fields.offer();
      const quick = !fields.closed && ruleOf(verb.at_once, this.formOf(verb, fields));
      closed.hidden = !fields.closed && !quick;
      closed.textContent = fields.closed ? this.closedWords(verb, fields.closed) : t("This takes only seconds: no job is needed.");
      now.disabled = Boolean(fields.closed);
      if (later) later.disabled = Boolean(fields.closed || quick);
    };
    fields.node.addEventListener("change", offer);
    this.puzzle.node.addEventListener("change", offer);
    this.onshown.push(offer);
    const form = el(
      "form",
      {
        novalidate: true, // the server validates, with the messages of the command line
        onsubmit: async (/** @type {Event} */ event) => {
          event.preventDefault();
          await this.guarded(fields, fault, now, async () => {
            if (verb.makes || (await this.settled())) await this.inquire(verb, fields, result);
          });
        },
      },
      fields.node,
      el("div", { class: "row" }, now, later),
      closed, // below the buttons, so that they do not move
    );
    return el("div", {}, form, fault, result);
  }

  /** The form of a verb, with the fields of the puzzle. @param {any} verb @param {Fields} fields @returns {Record<string, any>} */
  formOf(verb, fields) {
    return { ...(verb.makes ? {} : this.puzzle.values()), ...fields.values() };
  }

  /** The message for a combination that is always refused; it names the fields without their defaults. @param {any} verb @param {Record<string, any>} rule */
  closedWords(verb, rule) {
    const fields = [...this.family.puzzle, ...verb.fields].filter((/** @type {any} */ field) => field.name in rule && !(Array.isArray(rule[field.name]) && rule[field.name].includes(field.default)));
    const labels = fields.map((/** @type {any} */ field) => t(field.label) + (rule[field.name].above === undefined ? "" : ` > ${number(rule[field.name].above)}`));
    return `${t("This cannot be combined with")}: ${labels.join(", ")}`;
  }

  /** @param {any} verb @param {Fields} fields @param {HTMLElement} fault @param {HTMLElement} result */
  jobButton(verb, fields, fault, result) {
    const button = el("button", { type: "button", title: t("It continues when this page is closed") }, t("Keep as a job"));
    button.addEventListener("click", () =>
      this.guarded(fields, fault, button, async () => {
        if (!verb.makes && !(await this.settled())) return;
        try {
          const { name } = await api("jobs", { family: this.family.word, verb: verb.name, form: this.formOf(verb, fields) });
          this.follow(verb, name, result);
        } catch (error) {
          if (!(error instanceof Refused && error.atOnce)) throw error;
          await this.inquire(verb, fields, result);
          result.prepend(el("p", { class: "muted" }, t("This takes only seconds: no job is needed.")));
        }
      }),
    );
    return button;
  }

  /** Ask a question and show the answer. @param {any} verb @param {Fields} fields @param {HTMLElement} result */
  async inquire(verb, fields, result) {
    this.followed?.leave();
    const working = el("p", { class: "muted" }, t("Working …"));
    const turn = this.turn;
    this.placeResult(result, working);
    try {
      const reply = await this.ask(verb.name, fields.values(), (words) => { working.textContent = words; });
      if (verb.makes && reply.puzzle) {
        result.replaceChildren();
        await this.set(reply.puzzle, reply);
      } else if (turn === this.turn) this.answer(verb, reply, result);
    } catch (error) {
      result.replaceChildren();
      if (turn === this.turn || verb.makes) throw error;
    }
  }

  /** Show a result for the puzzle on the board. @param {HTMLElement} result @param {...Node} parts */
  placeResult(result, ...parts) {
    result.replaceChildren(...parts);
    this.results.set(result, this.position);
  }

  /** Unfold the results for the puzzle on the board and fold the others. */
  foldResults() {
    for (const [result, position] of this.results) {
      const folded = result.firstElementChild?.classList.contains("before") ? /** @type {HTMLElement} */ (result.firstElementChild) : null;
      if (position === this.position && folded) result.replaceChildren(...[...folded.childNodes].slice(1));
      else if (position !== this.position && !folded && result.childElementCount) {
        const words = el("summary", { class: "muted" }, t("Of the puzzle before"));
        result.replaceChildren(el("details", { class: "before" }, words, ...result.childNodes));
      }
    }
  }

  /** Follow a job on this page: its boards on the board, its numbers below the form. @param {any} verb @param {string} name @param {HTMLElement} result */
  follow(verb, name, result) {
    this.followed?.leave();
    const answers = el("div");
    const follower = new Follower(
      name,
      (reply) => {
        if (reply.shows !== "puzzle") this.show(reply.svg, boardWords(reply));
      },
      async () => {
        const reply = await api(`jobs/${name}/answers?count=100`).catch(() => null);
        if (reply && follower === this.followed) this.answer(verb, reply, answers);
      },
      el("button", { type: "button", onclick: () => this.set(this.puzzle.values()) }, t("Back to the puzzle")),
    );
    this.followed = follower;
    this.stage.replaceChildren();
    this.placeResult(result, follower.node, answers);
  }

  /**
   * Do something; a refusal is shown at its field, or below the form.
   * @param {Fields} fields @param {HTMLElement} fault @param {HTMLButtonElement} button @param {() => Promise<void>} work
   */
  async guarded(fields, fault, button, work) {
    fault.textContent = "";
    fields.forgive();
    button.disabled = true;
    try {
      await work();
    } catch (error) {
      const refused = /** @type {Refused} */ (error);
      if (!fields.complain(refused.field, refused.message)) fault.textContent = refused.message;
    } finally {
      button.disabled = false;
    }
  }

  /**
   * Ask a verb about the current puzzle; while kernels are compiled, their number is shown.
   * @param {string} verb @param {Record<string, any>} [form] @param {(words: string) => void} [report]
   */
  async ask(verb, form = {}, report = (words) => { this.caption.textContent = words; }) {
    const makes = this.family.verbs.find((/** @type {any} */ one) => one.name === verb)?.makes;
    const number = Math.random().toString(36).slice(2);
    let waits = true;
    const looking = setInterval(async () => {
      const { compiling } = await api(`compiling/${number}`).catch(() => ({}));
      if (compiling && waits) report(compilingWords(compiling));
    }, LOOK);
    try {
      const signal = makes ? undefined : this.pending.signal;
      return await api(`families/${this.family.word}/ask/${verb}?number=${number}`, { form: makes ? form : { ...this.puzzle.values(), ...form } }, "POST", signal);
    } finally {
      waits = false;
      clearInterval(looking);
    }
  }

  /** Wait for the requested puzzle and show changes of the form; whether the board then shows the form's puzzle. */
  async settled() {
    for (let last; last !== this.setting; ) await (last = this.setting);
    return this.typed === JSON.stringify(this.puzzle.values()) || this.set(this.puzzle.values());
  }

  /**
   * Show a puzzle; false if it is refused, or if another one was requested in the meantime.
   * @param {Record<string, any>} values @param {any} [shown] what the server has said of it already
   * @returns {Promise<boolean>}
   */
  set(values, shown) {
    this.pending.abort(); // the questions about the previous puzzle
    this.pending = new AbortController();
    this.puzzle.set(values); // later input builds on this, also before the server has answered
    this.setting = this.placed(values, shown, ++this.turn);
    return this.setting;
  }

  /** @param {Record<string, any>} values @param {any} shown @param {number} turn */
  async placed(values, shown, turn) {
    this.followed?.leave();
    this.puzzleFault.textContent = "";
    this.puzzle.forgive();
    try {
      shown ??= await api(`families/${this.family.word}/show`, { form: values });
    } catch (error) {
      if (turn !== this.turn) return false;
      const refused = /** @type {Refused} */ (error);
      if (!this.puzzle.complain(refused.field, refused.message)) this.puzzleFault.textContent = refused.message;
      this.choose("puzzle");
      return false;
    }
    if (turn !== this.turn) return false;
    this.shown = shown;
    this.puzzle.set(shown.puzzle);
    this.typed = JSON.stringify(this.puzzle.values());
    if (this.typed !== this.position) {
      this.position = this.typed;
      this.reply = null;
      this.stage.replaceChildren();
      this.foldResults();
    }
    this.show(shown.svg, shown.words, shown.cells);
    this.toAddress(shown.puzzle);
    for (const listener of this.onshown) listener(shown);
    return true;
  }

  /** @param {string | null} svg @param {string} words @param {any} [cells] */
  show(svg, words, cells = null) {
    this.cells = cells;
    const node = svg ? drawing(svg) : el("pre", { tabindex: 0 }, this.plain());
    this.board.replaceChildren(node);
    this.board.toggleAttribute("data-clicks", Boolean(cells && this.oncell.length));
    if (svg) {
      const view = /** @type {SVGSVGElement} */ (node).viewBox.baseVal;
      this.board.style.aspectRatio = `${view.width} / ${Math.min(view.height, 1.3 * view.width)}`;
    }
    this.caption.textContent = said(words);
  }

  plain() {
    return Object.values(this.puzzle.values()).filter((value) => typeof value === "string").join("\n");
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    const svg = this.board.querySelector("svg");
    const at = this.cells && svg && this.place(event, svg);
    if (at) for (const listener of this.oncell) listener(at[0], at[1], event);
  }

  /** The cell under the pointer. @param {PointerEvent} event @param {SVGSVGElement} svg */
  place(event, svg) {
    const matrix = svg.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const { rows, columns, x, y, side } = this.cells;
    const row = Math.floor((point.y - y) / side);
    const column = Math.floor((point.x - x) / side);
    return row >= 0 && row < rows && column >= 0 && column < columns ? [row, column] : null;
  }

  /** @param {any} verb @param {any} reply @param {HTMLElement} result */
  answer(verb, reply, result) {
    this.reply = reply;
    const parts = [];
    if (reply.status) parts.push(el("p", { class: "status" }, statusWords(reply, verb)));
    if (reply.file) parts.push(el("div", { class: "row" }, el("button", { class: "small", type: "button", onclick: () => keepFile(reply.file) }, t(reply.file.label))));
    if (reply.say ?? reply.sentence) parts.push(el("p", {}, said(reply.say ?? reply.sentence)));
    else if (reply.status === "none" && reply.why && !reply.nodes) parts.push(el("p", {}, said(reply.why)));
    if (reply.nodes) parts.push(el("p", { class: "numbers" }, `${nodesWords(reply.nodes)}, ${time(reply.seconds)}`));
    if (reply.svgs?.length) parts.push(this.leafing(reply));
    else if (reply.svg) this.show(reply.svg, reply.sentence ?? reply.say ?? this.caption.textContent ?? "", reply.say ? null : this.cells);
    this.stage.replaceChildren();
    if (reply.play) this.stage.append(el("iframe", { class: "play", src: reply.play, title: t("It is played here"), sandbox: "allow-scripts" }));
    if (reply.text && reply.answers?.length) parts.push(el("pre", { tabindex: 0 }, reply.text));
    if (reply.status === "open" && verb.searches) parts.push(el("p", { class: "muted" }, t("Not finished within the time limit. A job continues.")));
    this.placeResult(result, ...parts);
  }

  /** The buttons that leaf through the answers. @param {any} reply */
  leafing(reply) {
    let at = 0;
    const words = el("span");
    const go = (/** @type {number} */ step) => {
      at = (at + step + reply.svgs.length) % reply.svgs.length;
      words.textContent = `${t("answer")} ${number(at + 1)} ${t("of")} ${number(reply.kept)}`;
      this.show(reply.svgs[at], `${t("answer")} ${number(at + 1)}`);
      for (const listener of this.onanswer) listener(reply.answers[at]);
    };
    go(0);
    const leaf = (/** @type {number} */ step, /** @type {string} */ sign, /** @type {string} */ label) =>
      el("button", { class: "small", type: "button", "aria-label": label, onclick: () => go(step) }, sign);
    const back = el("button", { class: "small", type: "button", onclick: () => this.set(this.puzzle.values()) }, t("Back to the puzzle"));
    return el("div", { class: "row" }, reply.svgs.length > 1 && leaf(-1, "◀", t("Previous")), words, reply.svgs.length > 1 && leaf(1, "▶", t("Next")), back);
  }

  /** @param {HTMLInputElement} file */
  async load(file) {
    const chosen = file.files?.[0];
    file.value = "";
    if (!chosen) return;
    this.puzzleFault.textContent = "";
    try {
      const shown = await api(`families/${this.family.word}/load?name=${encodeURIComponent(chosen.name.slice(-80))}`, chosen.slice());
      await this.set(shown.puzzle, shown);
    } catch (error) {
      this.puzzleFault.textContent = /** @type {Refused} */ (error).message;
    }
  }

  // The address holds the puzzle, so that it can be shared.

  /** @param {Record<string, any>} values */
  toAddress(values) {
    const text = encodeURIComponent(JSON.stringify(values));
    this.written = text.length <= MOST_LINK ? `#${text}` : "";
    history.replaceState(null, "", location.pathname + this.written);
  }

  async fromAddress() {
    const text = location.hash.slice(1);
    if (text && `#${text}` === this.written) return;
    const first = this.family.examples[0].puzzle;
    const values = text ? this.held(text) : first;
    if (values) {
      this.puzzle.set(values);
      if (await this.set(values)) return;
    }
    if (this.shown) return; // keep the board
    const refused = this.puzzleFault.textContent;
    const faults = [...this.puzzle.parts].map(([name, part]) => [name, part.fault.textContent]).find(([, words]) => words);
    await this.set(first);
    if (faults) this.puzzle.complain(faults[0], faults[1]);
    else this.puzzleFault.textContent = refused || t("The address holds no puzzle that can be read.");
  }

  /** The values in an address, or null. @param {string} text @returns {Record<string, any> | null} */
  held(text) {
    try {
      const values = JSON.parse(decodeURIComponent(text));
      if (values && typeof values === "object" && !Array.isArray(values)) return values;
    } catch {
      // the caller reports it
    }
    return null;
  }

  async copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      this.caption.textContent = t("The link is copied.");
    } catch {
      this.caption.textContent = location.href;
    }
  }

  /** @param {"svg" | "pdf"} kind */
  async keepBoard(kind) {
    try {
      await keepBoard(this.family.word, this.board, kind);
    } catch (error) {
      this.caption.textContent = /** @type {Error} */ (error).message;
    }
  }

  keepJson() {
    keep(`${this.family.word}.json`, JSON.stringify({ puzzle: this.puzzle.values(), ...this.reply, svgs: undefined, svg: undefined, file: undefined, play: undefined }, null, 1), "application/json");
  }

  keepText() {
    keep(`${this.family.word}.txt`, this.reply?.text || this.plain(), "text/plain");
  }
}

/** The content of a file in an answer: text or bytes. @param {any} file */
function keepFile(file) {
  if (file.text !== undefined) keep(file.name, file.text, "text/plain");
  else keep(file.name, new Blob([Uint8Array.from(atob(file.base64), (sign) => sign.charCodeAt(0))]), "application/octet-stream");
}

/** The message while kernels are compiled. @param {{left: number, parts: number, seconds?: number}} what */
function compilingWords({ left, parts, seconds }) {
  const rest = seconds === undefined ? "" : `, ${t("about")} ${time(Math.ceil(seconds))}`;
  return `${t("Compiling, once on this machine: parts left")}: ${number(left)} ${t("of")} ${number(parts)}${rest}`;
}

/** @param {any} reply @param {any} verb */
function statusWords(reply, verb) {
  const found = verb.name === "rate" || reply.solutions === undefined ? "" : `${foundWords(reply.solutions)}: `;
  const words = { solved: t("solved"), complete: t("these are all"), none: t("proved that there is none"), open: t("still open") };
  return found + (words[/** @type {keyof typeof words} */ (reply.status)] ?? reply.status);
}
