// The reference of the API, from the server's OpenAPI description.
// @ts-check
import { api, el } from "./dom.js";
import { t } from "./words.js";

/** @param {HTMLElement} main */
export async function open(main) {
  document.title = "API · tablero";
  const described = await api("openapi.json");
  const rows = [];
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const [method, what] of Object.entries(/** @type {Record<string, any>} */ (methods))) {
      rows.push(el("tr", {}, el("td", {}, el("code", {}, method.toUpperCase())), el("td", {}, el("code", {}, path)), el("td", {}, what.summary ?? "")));
    }
  }
  main.append(
    el("h1", {}, "API"),
    el("p", { class: "about" }, el("a", { href: "/api/openapi.json" }, "openapi.json")),
    el("div", { class: "card scroll", tabindex: 0, role: "region", "aria-label": "API" }, el("table", {}, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, t("Method")), el("th", { scope: "col" }, t("Path")), el("th", { scope: "col" }, t("What it does")))), el("tbody", {}, ...rows))),
  );
}
