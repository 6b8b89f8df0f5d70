// The parts of every page: the families above, the running jobs below, and the content for the address between them.
// @ts-check
import { api, el } from "./dom.js";
import { connected, jobs, listen, whenever } from "./events.js";
import { language, learn, percent, speak, t } from "./words.js";

const here = location.pathname.split("/").filter(Boolean);
const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/** @param {any[]} families */
function header(families) {
  const nav = /** @type {HTMLElement} */ (document.getElementById("nav"));
  for (const family of families) nav.append(link(`/${family.word}`, t(family.title), here[0] === family.word));
  nav.append(link("/jobs", t("Jobs"), here[0] === "jobs"));
  const current = /** @type {HTMLElement | null} */ (nav.querySelector("[aria-current]"));
  if (current) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2; // on a phone they are in one line
  const switches = /** @type {HTMLElement} */ (document.getElementById("switches"));
  const other = language === "en" ? "es" : "en";
  switches.append(
    el("button", { class: "small", lang: other, onclick: () => speak(other) }, other === "es" ? "Español" : "English"),
    el("button", { class: "small", onclick: theme, "aria-label": t("Light or dark") }, "◐"),
  );
  const skip = document.querySelector(".skip");
  if (!skip) return;
  skip.textContent = t("Skip to the board");
  skip.addEventListener("click", (event) => {
    event.preventDefault(); // the address holds the puzzle
    const board = /** @type {HTMLElement | null} */ (main.querySelector(".board[tabindex]")) ?? main;
    board.focus();
  });
}

/** @param {string} address @param {string} words @param {boolean} current */
function link(address, words, current) {
  return el("a", { href: address, "aria-current": current && "page" }, words);
}

function theme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
}

function strip() {
  const foot = /** @type {HTMLElement} */ (document.getElementById("strip"));
  whenever(() => {
    const running = [...jobs.values()].filter((job) => job.state === "running");
    const items = running.map((job) => {
      const bar = el("i");
      bar.style.width = `${100 * job.fraction}%`;
      return el("a", { href: `/jobs/${job.name}` }, job.name, el("span", { class: "bar" }, bar), percent(job.fraction));
    });
    if (!connected) items.unshift(el("span", { class: "lost" }, t("Connection lost; trying again …")));
    foot.replaceChildren(...(items.length ? items : [t("No job is running.")]));
  });
}

function lost() {
  main.append(el("h1", {}, t("There is no page at this address.")), el("p", {}, link("/", t("All puzzles"), false)));
}

async function begin() {
  const kept = localStorage.getItem("theme");
  if (kept) document.documentElement.dataset.theme = kept;
  await learn(here.length > 0);
  const { families } = await api("families");
  header(families);
  listen();
  strip();
  main.replaceChildren();
  const family = families.find((/** @type {any} */ one) => one.word === here[0]);
  const alone = here.length === 1;
  if (family?.guides && here[1] === "guide" && here.length <= 3) await (await import("./guide.js")).open(main, family, here[2]);
  else if (family && alone) await (await import("./family.js")).open(main, family);
  else if (here[0] === "jobs" && here.length === 2) (await import("./job.js")).open(main, decodeURIComponent(here[1]), families);
  else if (here[0] === "jobs" && alone) (await import("./wall.js")).open(main);
  else if (here[0] === "api" && alone) await (await import("./reference.js")).open(main);
  else if (here.length) lost();
  else await (await import("./home.js")).open(main, families);
  document.body.dataset.ready = "yes";
}

begin().catch((error) => {
  main.replaceChildren(el("p", { class: "fault", role: "alert" }, String(error.message ?? error)));
  document.body.dataset.ready = "failed";
});
