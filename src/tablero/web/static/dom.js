// Make elements, and call the server.  User input is only inserted as text, never as HTML.
// @ts-check
import { drawn, refusal } from "./words.js";

/**
 * An element with attributes and children; an attribute that begins with "on" is a listener.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any}
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) made.append(child);
  return made;
}

/** Parse a drawing of the server and translate its texts. @param {string} text @returns {SVGSVGElement} */
export function drawing(text) {
  const svg = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  for (const words of svg.querySelectorAll("title, text")) {
    const known = drawn(words.textContent ?? "");
    if (known !== words.textContent) words.textContent = known;
  }
  return /** @type {any} */ (document.importNode(svg, true));
}

export class Refused extends Error {
  /** @param {string} message @param {string} [field] @param {number} [status] @param {boolean} [atOnce] whether it is a job that needs no search */
  constructor(message, field, status, atOnce = false) {
    super(refusal(message));
    this.field = field;
    this.status = status;
    this.atOnce = atOnce;
  }
}

/**
 * Call the API; an error is thrown as Refused.
 * @param {string} path
 * @param {any} [body]
 * @param {string} [method]
 * @param {AbortSignal} [signal] ends the request
 * @returns {Promise<any>}
 */
export async function api(path, body, method = body === undefined ? "GET" : "POST", signal = undefined) {
  /** @type {RequestInit} */
  const options = { method, signal };
  if (body instanceof Blob) options.body = body;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers = { "content-type": "application/json" };
  }
  let reply;
  try {
    reply = await fetch(`/api/${path}`, options);
  } catch {
    throw new Refused(signal?.aborted ? "" : "the server does not answer");
  }
  const values = await reply.json().catch(() => ({ error: `the server answered ${reply.status}` }));
  if (!reply.ok) throw new Refused(values.error ?? `the server answered ${reply.status}`, values.field, reply.status, values.at_once);
  return values;
}

/** Save the drawn board as a file. @param {string} name @param {HTMLElement} board @param {"svg" | "pdf"} kind */
export async function keepBoard(name, board, kind) {
  const svg = board.querySelector("svg");
  if (!svg) throw new Refused("there is no drawing");
  const text = new XMLSerializer().serializeToString(svg);
  if (kind === "svg") return keep(`${name}.svg`, text, "image/svg+xml");
  const reply = await fetch("/api/pdf", { method: "POST", body: JSON.stringify({ svg: text }), headers: { "content-type": "application/json" } });
  if (!reply.ok) throw new Refused((await reply.json().catch(() => ({}))).error ?? `the server answered ${reply.status}`);
  return keep(`${name}.pdf`, await reply.blob(), "application/pdf");
}

/** Download a file. @param {string} name @param {string | Blob} text @param {string} kind */
export function keep(name, text, kind) {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
