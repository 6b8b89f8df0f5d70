// The texts of the page in the reader's language.  The code has them in English; a table has them for each other language.
// @ts-check

/** @type {Record<string, string>} */
let table = {};
/** Sentences with stars as patterns, those with the longest texts first. @type {[RegExp, string][]} */
let open = [];
export let language = "en";
const LONG = 500; // characters

/** A text in the language of the page. @param {string} english */
export function t(english) {
  return table[english] ?? english.replace(/ \(one\)$/, ""); // some languages have another word for the singular
}

const CELLS = /r\d+c\d+(?:(?:, | and )r\d+c\d+)*/;
const UNIT = /\b(?:row|column|box|region) \d+|\bthe (?:falling|rising) diagonal/;
const DIGIT = /(?:\d+|(?<![\wÀ-ÿ-])[A-P](?![\wÀ-ÿ-]))/; // letters from 10 on
const NUMBERS = new RegExp(`${DIGIT.source}(?:, ${DIGIT.source})* and ${DIGIT.source}|\\d[\\d,]*\\d(?:\\.\\d+)?|\\d(?:\\.\\d+)?|${DIGIT.source}`);
const QUOTED = /(?<![A-Za-z])'[^']*'(?![A-Za-z])/;
const PARTS = new RegExp(`(${QUOTED.source})|(${CELLS.source})|(${UNIT.source})|(${NUMBERS.source})`, "g");

/**
 * A text of the server in the language of the page.  The table has sentences with signs for variable parts: # for numbers, an at
 * sign for cells, % for rows, columns and boxes, ~ for quoted text, and a star for anything, in the same order in both
 * languages.  Quoted text and sentences that the table lacks stay in English.
 * @param {string} english
 */
export function said(english) {
  return language === "en" || !english ? english : contracted(whole(english) ?? named(english) ?? openly(english));
}

/** Contract a Spanish preposition and article. @param {string} text */
function contracted(text) {
  return language === "es" ? text.replace(/\b(de|a) el\b/g, (_, word) => (word === "de" ? "del" : "al")) : text;
}

/** The translation by a whole sentence of the table, or undefined. @param {string} english @returns {string | undefined} */
function whole(english) {
  /** @type {Record<string, string[]>} */
  const parts = { "~": [], "@": [], "%": [], "#": [] };
  const form = english.replace(PARTS, (whole, quoted, cells, unit) => {
    const sign = quoted ? "~" : cells ? "@" : unit ? "%" : "#";
    parts[sign].push(whole);
    return sign;
  });
  const found = table[form] ?? table[english];
  if (found === undefined) return undefined;
  const and = ` ${table["and"]} `;
  return found.replace(/[@%#~]/g, (sign) => {
    const part = parts[sign].shift() ?? sign;
    if (sign === "~") return part;
    if (sign === "%") return part.replace(/row|column|box|region|the falling diagonal|the rising diagonal/, (word) => table[word] ?? word);
    if (/^\d{1,3}(,\d{3})+$/.test(part)) return number(Number(part.replaceAll(",", "")));
    return part.replaceAll(" and ", and);
  });
}

/** The translation of a name, which is capitalised in the table. @param {string} english @returns {string | undefined} */
function named(english) {
  const name = table[english[0].toUpperCase() + english.slice(1)];
  return name && name[0].toLowerCase() + name.slice(1);
}

/** The translation by a sentence with stars, whose parts are translated too, or part by part. @param {string} english @returns {string} */
function openly(english) {
  if (new RegExp(`^${QUOTED.source}$`).test(english)) return english;
  const list = english.split(/([,:;] (?:and )?)/).map((part, k) => (k % 2 ? part.replace("and", table["and"]) : whole(part) ?? (isJoined(part) ? joined(part) : undefined)));
  if (list.every((part) => part !== undefined)) return list.join("");
  for (const [form, found] of open) {
    if (english.length > LONG && found.split("*").length > 2) continue; // many stars are slow
    const parts = form.exec(english)?.slice(1);
    if (parts) return found.replace(/\*/g, () => said(parts.shift() ?? ""));
  }
  return /[:;] /.test(english) ? refusal(english) : joined(english);
}

const JOINTS = /\b(?:none of|is left with|it locks|can be|the set|is not|is|in|and|nor|or|so|if|then|otherwise|as|more|rows|columns|two|three|four|five|six|seven)\b/g;

/** Whether a text consists of cells, digits, units and the words that join them, as in a chain. @param {string} english */
function isJoined(english) {
  return !/[^\s,;:().…/×]/.test(english.replace(PARTS, "").replace(JOINTS, ""));
}

/** The translation of such a text; other texts are unchanged. @param {string} english */
function joined(english) {
  if (!/[a-z]/.test(english) || !isJoined(english)) return english;
  const units = english.replace(new RegExp(UNIT.source, "g"), (unit) => unit.replace(/row|column|box|region|the falling diagonal|the rising diagonal/, (word) => table[word] ?? word));
  return units.replace(JOINTS, (word) => table[word] ?? word);
}

/** The sentences of a table with stars, as patterns. @param {Record<string, string>} from @returns {[RegExp, string][]} */
function patterns(from) {
  const starred = Object.entries(from).filter(([words]) => words.includes("*"));
  starred.sort(([one], [other]) => other.replaceAll("*", "").length - one.replaceAll("*", "").length);
  return starred.map(([words, found]) => [new RegExp(`^${words.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)")}$`, "s"), found]);
}

/** Translate an error message part by part: user input is between colons and unchanged. @param {string} english */
export function refusal(english) {
  return language === "en" ? english : english.split(/(: |; )/).map((part, k) => (k % 2 ? part : said(part))).join("");
}

/** Translate a text of a drawing: a sentence, or one thing into another. @param {string} english */
export function drawn(english) {
  const [whole, divided] = language === "en" ? [] : (/^(.{1,60}) into (.{1,60})$/.exec(english)?.slice(1) ?? []);
  return whole && divided ? `${said(whole)} ${t("into")} ${said(divided)}` : said(english);
}

/** The name of a technique or the like, which is capitalised in the table. @param {string} name */
export function term(name) {
  return language === "en" ? name : t(name[0].toUpperCase() + name.slice(1));
}

/**
 * Load the tables of the chosen language, or of the browser's: words, and sayings (messages, the sentences of techniques),
 * which the first page does not need.
 * @param {boolean} whole
 */
export async function learn(whole) {
  language = localStorage.getItem("language") ?? (navigator.language.startsWith("es") ? "es" : "en");
  document.documentElement.lang = language;
  if (language !== "en") {
    const names = whole ? ["words", "sayings"] : ["words"];
    table = Object.assign({}, ...(await Promise.all(names.map(async (name) => (await fetch(`/static/${name}_${language}.json`)).json()))));
    open = patterns(table);
  }
}

/** @param {string} wanted */
export function speak(wanted) {
  localStorage.setItem("language", wanted);
  location.reload();
}

/** A number in the format of the language. @param {number} value */
export function number(value) {
  return value.toLocaleString(language, { maximumFractionDigits: 3 });
}

/** The number of answers found. @param {number} count */
export function foundWords(count) {
  return `${number(count)} ${count === 1 ? t("found (one)") : t("found")}`;
}

/** The number of nodes visited. @param {number} count */
export function nodesWords(count) {
  return `${short(count)} ${count === 1 ? t("node (one)") : t("nodes")}`;
}

/** A fraction as a percentage with two decimals, or three digits if it is very small. @param {number} value */
export function percent(value) {
  const shown = 100 * value;
  return `${shown > 0 && shown < 0.01 ? shown.toLocaleString(language, { maximumSignificantDigits: 3 }) : shown.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} %`;
}

/** A number in compact notation with three digits. @param {number} value */
export function short(value) {
  return value.toLocaleString(language, { notation: "compact", maximumSignificantDigits: 3 });
}

/** @param {number} seconds */
export function time(seconds) {
  if (seconds < 60) return `${number(Number(seconds.toPrecision(3)))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${short(seconds / 86400)} d`;
}
