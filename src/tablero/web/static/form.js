// Forms, from the server's description of their fields.
// @ts-check
import { el } from "./dom.js";
import { t } from "./words.js";

/** Whether a value matches a condition: some values, all but some, or numbers above one. @param {any} rule @param {any} value */
function meets(rule, value) {
  const plain = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (Array.isArray(rule)) return rule.includes(plain);
  return rule.not ? !rule.not.includes(plain) : Number(plain) > rule.above;
}

/** The first rule that matches these values, if any. @param {Record<string, any>[]} rules @param {Record<string, any>} values */
export function ruleOf(rules, values) {
  return rules.find((one) => Object.keys(one).every((name) => meets(one[name], values[name])));
}

/** The fields of a form, with their values and errors. */
export class Fields {
  /**
   * @param {any[]} fields @param {string} prefix
   * @param {Record<string, any>[]} never values of fields that do not go together: they are not offered
   * @param {() => Record<string, any>} beside values of other fields, of which these may speak as well
   */
  constructor(fields, prefix, never = [], beside = () => ({})) {
    this.never = never;
    this.beside = beside;
    /** @type {Record<string, any> | undefined} */
    this.closed = undefined; // a rule that refuses the form and cannot be resolved by disabling choices
    this.node = el("div", { onchange: (/** @type {Event} */ event) => this.offer(event.target) });
    /** @type {Map<string, {input: any, kind: string, box: any, fault: any}>} */
    this.parts = new Map();
    for (const field of fields) this.add(field, prefix);
    this.offer();
  }

  /** Disable choices that cannot be combined with the others; keep the one that was just chosen. @param {any} [chosen] */
  offer(chosen) {
    if (!this.never.length) return;
    const beside = this.beside();
    const parts = [...this.parts].sort(([, one], [, other]) => Number(one.input === chosen) - Number(other.input === chosen));
    for (const [name, { input, kind }] of parts) {
      const values = { ...beside, ...this.values() };
      const rules = this.never.filter((one) => name in one);
      const fits = (/** @type {any} */ value) => !ruleOf(rules, { ...values, [name]: value });
      if (kind === "tick") {
        input.disabled = !fits(true);
        input.checked &&= !input.disabled;
      } else if (kind === "choice") {
        for (const option of input.options) option.disabled = !fits(option.value);
        if (input.selectedOptions[0]?.disabled) input.value = [...input.options].find((option) => !option.disabled)?.value ?? input.value;
      }
    }
    this.closed = ruleOf(this.never, { ...beside, ...this.values() });
  }

  /** @param {any} field @param {string} prefix */
  add(field, prefix) {
    const id = `${prefix}-${field.name}`;
    const described = `${id}-hint ${id}-fault`;
    let input;
    if (field.kind === "area") input = el("textarea", { id, spellcheck: "false", "aria-describedby": described });
    else if (field.kind === "choice") {
      input = el("select", { id, "aria-describedby": described });
      for (const choice of field.choices) input.append(el("option", { value: choice }, t(choice)));
    } else if (field.kind === "tick") input = el("input", { id, type: "checkbox", "aria-describedby": described });
    else if (field.kind === "number") {
      input = el("input", { id, type: "number", min: field.least, max: field.most, inputmode: "numeric", "aria-describedby": described });
    } else input = el("input", { id, type: "text", autocomplete: "off", "aria-describedby": described });
    const fault = el("p", { class: "fault", id: `${id}-fault`, role: "alert" });
    const box = el(
      "label",
      { class: field.kind === "tick" ? "field tick" : "field", for: id },
      field.kind === "tick" ? input : null,
      el("span", {}, t(field.label)),
      field.kind === "tick" ? null : input,
      el("small", { id: `${id}-hint` }, field.hint ? t(field.hint) : ""),
      fault,
    );
    this.parts.set(field.name, { input, kind: field.kind, box, fault });
    this.set({ [field.name]: field.default });
    this.node.append(box);
  }

  /** @returns {Record<string, any>} */
  values() {
    /** @type {Record<string, any>} */
    const values = {};
    for (const [name, { input, kind }] of this.parts) {
      if (kind === "tick") values[name] = input.checked;
      else if (kind === "number") values[name] = /^-?[0-9]{1,12}$/.test(input.value.trim()) ? Number(input.value) : input.value;
      else values[name] = input.value;
    }
    return values;
  }

  /** @param {Record<string, any>} values */
  set(values) {
    for (const [name, value] of Object.entries(values)) {
      const part = this.parts.get(name);
      if (!part) continue;
      if (part.kind === "tick") part.input.checked = Boolean(value);
      else part.input.value = String(value);
    }
  }

  /** Show an error at its field; false if there is no such field. @param {string | undefined} name @param {string} message */
  complain(name, message) {
    this.forgive();
    const part = name === undefined ? undefined : this.parts.get(name);
    if (!part) return false;
    part.fault.textContent = message;
    part.box.classList.add("bad");
    part.input.setAttribute("aria-invalid", "true");
    return true;
  }

  forgive() {
    for (const { box, fault, input } of this.parts.values()) {
      fault.textContent = "";
      box.classList.remove("bad");
      input.removeAttribute("aria-invalid");
    }
  }
}
