// The words of the page in the reader's language.  English stands in the code; a table a language has the others.
// @ts-check

/** @type {Record<string, string>} */
let table = {};
/** Sentences with a star for anything, those that say most first. @type {[RegExp, string][]} */
let open = [];
export let language = "en";
const LONG = 500; // characters

/** The words in the language of the page. @param {string} english */
export function t(english) {
  return table[english] ?? english.replace(/ \(one\)$/, ""); // what other languages say otherwise of one
}

const CELLS = /r\d+c\d+(?:(?:, | and )r\d+c\d+)*/;
const UNIT = /\b(?:row|column|box|region) \d+|\bthe (?:falling|rising) diagonal/;
const DIGIT = /(?:\d+|(?<![\wÀ-ÿ-])[A-P](?![\wÀ-ÿ-]))/; // from 10 on they are letters
const NUMBERS = new RegExp(`${DIGIT.source}(?:, ${DIGIT.source})* and ${DIGIT.source}|\\d[\\d,]*\\d(?:\\.\\d+)?|\\d(?:\\.\\d+)?|${DIGIT.source}`);
const QUOTED = /(?<![A-Za-z])'[^']*'(?![A-Za-z])/;
const PARTS = new RegExp(`(${QUOTED.source})|(${CELLS.source})|(${UNIT.source})|(${NUMBERS.source})`, "g");

/**
 * What the server says, in the language of the page.  The table has the sentence with signs for what changes: one for numbers
 * (#), one for cells (an at sign), one for rows, columns and boxes (%), one for what is quoted (~).  A star stands for anything,
 * in the same order in both languages.  What the table lacks stays as it is, and so does what is quoted.
 * @param {string} english
 */
export function said(english) {
  return language === "en" || !english ? english : contracted(whole(english) ?? named(english) ?? openly(english));
}

/** As Spanish writes a preposition and an article that have come together. @param {string} text */
function contracted(text) {
  return language === "es" ? text.replace(/\b(de|a) el\b/g, (_, word) => (word === "de" ? "del" : "al")) : text;
}

/** By a sentence of the table; undefined where it has none. @param {string} english @returns {string | undefined} */
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

/** A name within a sentence: the table has it with a capital. @param {string} english @returns {string | undefined} */
function named(english) {
  const name = table[english[0].toUpperCase() + english.slice(1)];
  return name && name[0].toLowerCase() + name.slice(1);
}

/** By a sentence with stars, or part by part; what stars stand for may have words of its own. @param {string} english @returns {string} */
function openly(english) {
  if (new RegExp(`^${QUOTED.source}$`).test(english)) return english;
  const list = english.split(/([,:;] (?:and )?)/).map((part, k) => (k % 2 ? part.replace("and", table["and"]) : whole(part) ?? (isJoined(part) ? joined(part) : undefined)));
  if (list.every((part) => part !== undefined)) return list.join("");
  for (const [form, found] of open) {
    if (english.length > LONG && found.split("*").length > 2) continue; // many stars take long
    const parts = form.exec(english)?.slice(1);
    if (parts) return found.replace(/\*/g, () => said(parts.shift() ?? ""));
  }
  return /[:;] /.test(english) ? refusal(english) : joined(english);
}

const JOINTS = /\b(?:none of|is left with|it locks|can be|the set|is not|is|in|and|nor|or|so|if|then|otherwise|as|more|rows|columns|two|three|four|five|six|seven)\b/g;

/** Whether a text is nothing but cells, digits and units with the words that join them, as in a chain. @param {string} english */
function isJoined(english) {
  return !/[^\s,;:().…/×]/.test(english.replace(PARTS, "").replace(JOINTS, ""));
}

/** Such a text; anything else stays as it is. @param {string} english */
function joined(english) {
  if (!/[a-z]/.test(english) || !isJoined(english)) return english;
  const units = english.replace(new RegExp(UNIT.source, "g"), (unit) => unit.replace(/row|column|box|region|the falling diagonal|the rising diagonal/, (word) => table[word] ?? word));
  return units.replace(JOINTS, (word) => table[word] ?? word);
}

/** The sentences of a table that have stars, as patterns. @param {Record<string, string>} from @returns {[RegExp, string][]} */
function patterns(from) {
  const starred = Object.entries(from).filter(([words]) => words.includes("*"));
  starred.sort(([one], [other]) => other.replaceAll("*", "").length - one.replaceAll("*", "").length);
  return starred.map(([words, found]) => [new RegExp(`^${words.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join("(.+?)")}$`, "s"), found]);
}

/** A refusal, or another sentence with its reason, part by part: what a user has given stands between colons, and stays as it is. @param {string} english */
export function refusal(english) {
  return language === "en" ? english : english.split(/(: |; )/).map((part, k) => (k % 2 ? part : said(part))).join("");
}

/** The words of a drawing: a sentence, or one thing into another. @param {string} english */
export function drawn(english) {
  const [whole, divided] = language === "en" ? [] : (/^(.{1,60}) into (.{1,60})$/.exec(english)?.slice(1) ?? []);
  return whole && divided ? `${said(whole)} ${t("into")} ${said(divided)}` : said(english);
}

/** The name of a technique, or the like, which begins with a capital in the table. @param {string} name */
export function term(name) {
  return language === "en" ? name : t(name[0].toUpperCase() + name.slice(1));
}

/**
 * Read the tables of the language that was chosen, or that the browser asks for: words, and sayings (refusals, the sentences of
 * techniques), which the first page does without.
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

/** A number as the reader's language writes it. @param {number} value */
export function number(value) {
  return value.toLocaleString(language, { maximumFractionDigits: 3 });
}

/** How many were found. @param {number} count */
export function foundWords(count) {
  return `${number(count)} ${count === 1 ? t("found (one)") : t("found")}`;
}

/** How many were visited. @param {number} count */
export function nodesWords(count) {
  return `${short(count)} ${count === 1 ? t("node (one)") : t("nodes")}`;
}

/** A part as a percentage: two decimals, and of a very small one three digits. @param {number} value */
export function percent(value) {
  const shown = 100 * value;
  return `${shown > 0 && shown < 0.01 ? shown.toLocaleString(language, { maximumSignificantDigits: 3 }) : shown.toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} %`;
}

/** Three digits and a unit. @param {number} value */
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
