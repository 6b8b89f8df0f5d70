// All jobs on one wall.
// @ts-check
import { el } from "./dom.js";
import { jobs, whenever } from "./events.js";
import { number, short, t, time } from "./words.js";

/** @param {HTMLElement} main */
export function open(main) {
  document.title = `${t("Jobs")} · tablero`;
  const rows = el("tbody");
  const empty = el("p", { class: "muted" }, t("No jobs yet. Ask for something on a family's page and choose 'Keep as a job', or start one with 'tablero … --job NAME': it appears here by itself."));
  const heads = ["Job", "State", "Progress", "Found", "Nodes", "Time"];
  const table = el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": t("Jobs") }, el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((head, k) => el("th", { scope: "col", class: k > 2 && "n" }, t(head))))), rows));
  main.append(el("h1", {}, t("Jobs")), el("p", { class: "about" }, t("Searches that outlive their process.")), el("div", { class: "card" }, empty, table));
  whenever(() => {
    const all = [...jobs.values()].sort((a, b) => Number(b.state === "running") - Number(a.state === "running") || (b.created ?? "").localeCompare(a.created ?? "") || a.name.localeCompare(b.name));
    empty.hidden = all.length > 0;
    table.hidden = all.length === 0;
    rows.replaceChildren(...all.map(row));
  });
}

/** @param {any} job */
function row(job) {
  const bar = el("i");
  bar.style.width = `${100 * (job.fraction ?? 0)}%`;
  return el(
    "tr",
    {},
    el("td", {}, el("a", { href: `/jobs/${encodeURIComponent(job.name)}` }, job.name), el("br"), el("span", { class: "muted" }, `${job.family ?? ""} ${job.verb ?? ""}`)),
    el("td", {}, el("span", { class: `pill ${job.state}` }, t(job.state))),
    el("td", {}, job.error ? job.error : el("div", { class: "bar", role: "img", "aria-label": `${(100 * job.fraction).toFixed(2)} %` }, bar), job.error ? null : `${(100 * job.fraction).toFixed(2)} %`),
    el("td", { class: "n" }, job.solutions === undefined ? "" : number(job.solutions)),
    el("td", { class: "n" }, job.nodes === undefined ? "" : short(job.nodes)),
    el("td", { class: "n" }, job.seconds === undefined ? "" : time(job.seconds)),
  );
}
